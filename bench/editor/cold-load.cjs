'use strict';
// How long `require` of the extension's bundle takes in a fresh process, in ms, without VS Code.
const Module = require('node:module');
const load = Module._load;
// What is taken from `vscode` while the bundle is evaluated is extended, called, or looked into.
// As the prototype: what esbuild makes of an import copies own properties and keeps the prototype.
const anything = new Proxy(function Anything() {}, {
  get: (target, name) => (name === 'prototype' ? target.prototype : anything),
});
const vscode = Object.create(new Proxy({}, { get: () => anything }));
Module._load = (request, ...rest) => (request === 'vscode' ? vscode : load(request, ...rest));
const start = performance.now();
require(process.argv[2]);
console.log(performance.now() - start);
process.exit();
