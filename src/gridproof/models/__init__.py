"""Geometry + encoding -> a model for one target."""
