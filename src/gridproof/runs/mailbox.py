"""Messages between two processes, whose arrays go through memory that both share.

A pipe takes an array in pieces of some kilobytes, each of which the system copies twice, and Python three times more.
Through shared memory it is copied twice in all: into it, and out of it.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


def make_room(size: int) -> Any:
    """Return shared memory of so many bytes, which can be sent along when a process starts."""
    from multiprocessing.sharedctypes import RawArray

    return RawArray("B", max(size, 1))


class Mailbox:
    """One end of a pipe for messages of any kind.

    The two ends take turns: each sends when it has received what the other has sent. So whatever lies in the room has
    been taken out before the next message is put there.

    Parameters
    ----------
    pipe
        The end of the pipe.
    room
        The shared memory, the same at both ends, as of ``make_room``. Arrays that do not fit go through the pipe.
    """

    def __init__(self, pipe: Connection, room: Any) -> None:
        self._pipe = pipe
        self._room = memoryview(room).cast("B")

    def send(self, message: object) -> None:
        """Send a message. Raises as ``pickle.dumps`` if it cannot be sent; then nothing is."""
        lengths: list[int] = []
        end = 0

        def is_left_in_message(buffer: pickle.PickleBuffer) -> bool:
            nonlocal end
            content = buffer.raw()
            start = end
            if start + len(content) > len(self._room):
                return True
            end += len(content)
            self._room[start:end] = content
            lengths.append(len(content))
            return False

        content = pickle.dumps(message, protocol=5, buffer_callback=is_left_in_message)
        self._pipe.send_bytes(pickle.dumps((lengths, content)))

    def recv(self) -> Any:
        """Wait for a message and return it. Raises ``EOFError`` and ``OSError`` as the pipe does."""
        lengths, content = pickle.loads(self._pipe.recv_bytes())
        buffers = []
        start = 0
        for length in lengths:
            buffers.append(bytearray(self._room[start : start + length]))
            start += length
        return pickle.loads(content, buffers=buffers)
