/** P25.114: what may answer a caller though no word of the step says it. */
import { expect, test } from 'vitest';
import {
  callsRespond,
  computesDollar,
  handsOnDollar,
} from '../../../../../src/runtime/workflows/lifecycle/hands-on-dollar.ts';

test.each([
  ["$['res' + 'pond']({ status: 201 })", true],
  ['$[name]()', true],
  ['$?.[name]()', true],
  ['context.$[name]()', true],
  ['run({ $: api }) { api[name](); }', true],
  ['Reflect.get($, name)', true],
  ['Object.entries($).find(isIt)', true],
  ['const { [name]: answer } = $;', true],
  ['def handler(pd: "pipedream"):\n  getattr(pd, name)({})', true],
  ["$['export']('x', 1)", false],
  ['$.export(`a`, list[i])', false],
  ['const all = steps[name]; $.flow.exit(all[0]);', false],
  ['price$[i]', false],
  ["console.log(`${list[i]}`, '$[' )", true],
  ['getattr(other, name)', false],
])('%s is read by a computed name: %s', (code, expected) => {
  expect(computesDollar(code)).toBe(expected);
});

test.each([
  ['answer($)', true],
  ['answer(steps, $, 1)', true],
  ['const all = { ...$ };', true],
  ['helper({ $ })', false],
  ['helper({ dollar: $ })', true],
  ['const api = $;', true],
  ['answer(ctx.$)', true],
  ['run({ $: api }) { answer(api); }', true],
  ['def handler(pd):\n  answer(pd)', true],
  ["$.export('a', 1); return 2;", false],
])('%s hands it on: %s', (code, expected) => {
  expect(handsOnDollar(code)).toBe(expected);
});

test.each([
  ['$.respond({})', true],
  ['const { respond } = $;', true],
  ["api['respond']()", true],
  ['throw new Error("the server did not respond")', false],
  ['responding()', false],
])('%s of a package calls it: %s', (code, expected) => {
  expect(callsRespond(code)).toBe(expected);
});
