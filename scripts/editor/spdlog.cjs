'use strict';
/**
 * Takes the place of the native @vscode/spdlog in a code-server installed without build scripts:
 * writes VS Code's log files, which are what output channels show.
 */
const fs = require('node:fs');
const path = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  #file;
  #level = 2;
  #raw = false;

  constructor(name, file) {
    this.name = name;
    this.#file = file;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    levels.forEach((level, n) => {
      this[level === 'warning' ? 'warn' : level] = (message) => this.#write(n, message);
    });
  }

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  clearFormatters() {
    this.#raw = true;
  }

  setPattern() {}
  flush() {}
  drop() {}

  #write(level, message) {
    if (level < this.#level) return;
    const at = new Date().toISOString().replace('T', ' ').replace('Z', '');
    fs.appendFileSync(this.#file, this.#raw ? message : `${at} [${levels[level]}] ${message}\n`);
  }
}

// One by one: VS Code imports the named exports, and Node finds them by reading this file's text.
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.shutdown = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = async (name, file) => new Logger(name, file);
exports.createAsyncRotatingLogger = async (name, file) => new Logger(name, file);
