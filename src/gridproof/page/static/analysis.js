// Has work done by workers, and does not wait for one that does not give way: another one, which was kept warm, takes
// its place. Work is either about the board (`work`), of which only the last counts, or a job of the page.

const PATIENCE = 300; // milliseconds in which a worker has to begin with what came last

export class Analysis {
  // onFinding(lane, number, {values, content, ended}), onFailure(words), and what makes a worker
  constructor({ onFinding, onFailure, makeWorker }) {
    this.onFinding = onFinding;
    this.onFailure = onFailure;
    this.makeWorker = makeWorker;
    this.lanes = { board: null, job: null }; // the worker of each
    this.spare = null;
    this.lanes.board = this.make();
  }

  make() {
    const worker = this.makeWorker();
    const made = { worker, ready: false, lane: null, number: null, timer: null };
    worker.onmessage = ({ data }) => this.take(made, data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.onFailure(event.message || "a worker did not start");
    };
    return made;
  }

  // the number of the worker's work goes back with each finding
  begin(lane, number, packed) {
    let made = this.lanes[lane];
    if (!made) {
      made = this.spare ?? this.make();
      this.spare = null;
      this.lanes[lane] = made;
    }
    made.lane = lane;
    made.number = number;
    made.packed = packed;
    made.worker.postMessage({ number, packed });
    clearTimeout(made.timer);
    if (made.ready) made.timer = setTimeout(() => this.replace(made), PATIENCE);
  }

  end(lane) {
    const made = this.lanes[lane];
    if (!made) return;
    this.discard(made);
    this.lanes[lane] = null;
    if (!this.spare) this.spare = this.make();
  }

  // it did not begin in time
  replace(made) {
    const { lane, number, packed } = made;
    if (this.lanes[lane] !== made) return;
    this.discard(made);
    this.lanes[lane] = null;
    this.begin(lane, number, packed);
    this.spare ??= this.make();
  }

  discard(made) {
    clearTimeout(made.timer);
    made.worker.onmessage = null;
    made.worker.terminate();
  }

  take(made, data) {
    if (data.failed) {
      this.onFailure(data.failed);
      return;
    }
    if (data.ready) {
      made.ready = true;
      return;
    }
    if (data.number !== made.number) return; // of work that was ended
    if (data.begun) {
      clearTimeout(made.timer);
      return;
    }
    if (data.ended) {
      if (!this.spare && made.lane === "board") this.spare = this.make(); // once the first board is done
      if (made.lane === "job") this.release(made);
    }
    this.onFinding(made.lane, data.number, data);
  }

  // a worker that is done with a job is the spare one again
  release(made) {
    this.lanes.job = null;
    if (this.spare) this.discard(made);
    else this.spare = made;
  }
}
