import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createPrompt } from '../../../src/cli/prompt.ts';
import { until } from '../../support/until.ts';

function terminal() {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => void modes.push(isRaw),
  });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let screen = '';
  stderr.on('data', (chunk: Buffer) => (screen += chunk.toString()));
  const prompt = createPrompt({ stdin, stderr }, new AbortController().signal);
  const shown = (text: string) => until(text, (seen) => seen(screen).includes(text) || undefined);
  return { stdin, prompt, shown, modes };
}

test('what was typed before a question was on the screen is no answer to it', async () => {
  const { stdin, prompt, shown } = terminal();
  stdin.write('y\r');
  const answer = prompt.confirm('Allow it? ');
  await shown('Allow it? ');
  stdin.write('n\r');
  expect(await answer).toBe(false);
  const yes = prompt.confirm('And this? ');
  await shown('And this? ');
  stdin.write('y\r');
  expect(await yes).toBe(true);
});

test('Ctrl-C that was pressed before it gives up all the same', async () => {
  const { stdin, prompt } = terminal();
  stdin.write('y\u0003');
  await expect(prompt.confirm('Allow it? ')).rejects.toMatchObject({ code: 'cancelled' });
});

test('Enter before anything was listed takes nothing', async () => {
  const { stdin, prompt, shown } = terminal();
  let list: (() => void) | undefined;
  const chosen = prompt.choose('Which:', async () => {
    if (list === undefined) await new Promise<void>((resolve) => (list = resolve));
    return { choices: ['one', 'two'].map((label) => ({ label, value: label })) };
  });
  await shown('Which:');
  stdin.write('\r');
  await until('asked', () => list);
  list?.();
  await shown('❯ one');
  stdin.write('\u001b[B');
  await shown('❯ two');
  stdin.write('\r');
  expect(await chosen).toBe('two');
});
