import { describe, expect, test } from 'vitest';
import { WeirError } from '../../../../../src/protocol/errors.ts';
import { GroupCommit } from '../../../../../src/runtime/store/sqlite/group-commit.ts';
import {
  resultCode,
  SqliteError,
} from '../../../../../src/runtime/store/sqlite/wasm/result-code.ts';

import { FakeClock } from '../../../../support/fake-clock.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A file that notes what it is told, and whose barriers return when the test says so. */
class FakeFile {
  readonly calls: string[] = [];
  readonly barriers: { done(): void; fail(error: Error): void }[] = [];
  checkpointDue = false;
  failOn: string | undefined;

  readonly db = {
    run: (sql: string) => this.note(sql),
    rollBack: () => this.note('ROLLBACK'),
  };

  note(call: string): void {
    this.calls.push(call);
    if (call === this.failOn) throw new Error(`no ${call}`);
  }

  commit(): void {
    this.note('COMMIT');
  }

  checkpoint(): void {
    this.note('CHECKPOINT');
  }

  barrier(): Promise<void> {
    this.note('BARRIER');
    return new Promise((resolve, reject) => {
      this.barriers.push({ done: resolve, fail: reject });
    });
  }
}

function make() {
  const file = new FakeFile();
  const explain = (error: unknown, by: string) =>
    new WeirError('store_failed', `${by}: ${String(error)}`);
  const clock = new FakeClock();
  return { file, clock, groups: new GroupCommit(file, clock, explain) };
}

/** Which of the promises have settled, in the order they did. */
function watch(promises: Record<string, Promise<unknown>>): string[] {
  const settled: string[] = [];
  for (const [name, promise] of Object.entries(promises)) {
    promise.then(
      () => settled.push(name),
      () => settled.push(`${name} failed`),
    );
  }
  return settled;
}

describe('group commit', () => {
  test('writes of one turn share a transaction and a barrier', async () => {
    const { file, groups } = make();
    const a = groups.write(() => file.note('a'));
    const b = groups.write(() => file.note('b'));
    const settled = watch({ a: a.durable, b: b.durable });
    await turn();
    expect(file.calls).toEqual(['BEGIN IMMEDIATE', 'a', 'b', 'COMMIT', 'BARRIER']);
    await turn();
    expect(settled).toEqual([]);
    file.barriers[0]?.done();
    await turn();
    expect(settled).toEqual(['a', 'b']);
  });

  test('while a barrier is on its way the next group gathers over many turns', async () => {
    const { file, groups } = make();
    const settled = watch({ a: groups.write(() => file.note('a')).durable });
    await turn();
    const later = [groups.write(() => file.note('b'))];
    await turn();
    later.push(groups.write(() => file.note('c')));
    await turn();
    expect(file.calls.slice(4)).toEqual(['BEGIN IMMEDIATE', 'b', 'c']);
    file.barriers[0]?.done();
    await turn();
    await turn();
    expect(settled).toEqual(['a']);
    expect(file.calls.slice(7)).toEqual(['COMMIT', 'BARRIER']);
    file.barriers[1]?.done();
    await Promise.all(later.map((one) => one.durable));
  });

  test('a write that nobody waits for waits for company, but not for long', async () => {
    const { file, clock, groups } = make();
    const a = groups.writeSoon(() => file.note('a'));
    await turn();
    clock.pass(9);
    const b = groups.writeSoon(() => file.note('b'));
    await turn();
    expect(file.calls).toEqual(['BEGIN IMMEDIATE', 'a', 'b']);
    clock.pass(1);
    await turn();
    expect(file.calls.slice(3)).toEqual(['COMMIT', 'BARRIER']);
    const settled = watch({ a: a.durable, b: b.durable });
    file.barriers[0]?.done();
    await turn();
    expect(settled).toEqual(['a', 'b']);
  });

  test.each(['write', 'writeAlone', 'flush'] as const)(
    'it goes at once with a %s that somebody waits for',
    async (how) => {
      const { file, groups } = make();
      const a = groups.writeSoon(() => file.note('a'));
      void groups[how](() => undefined);
      await turn();
      expect(file.calls.slice(-2)).toEqual(['COMMIT', 'BARRIER']);
      file.barriers[0]?.done();
      await a.durable;
    },
  );

  test('its time may run out while the barrier before is on its way', async () => {
    const { file, clock, groups } = make();
    groups.write(() => file.note('a'));
    await turn();
    const b = groups.writeSoon(() => file.note('b'));
    clock.pass(10);
    await turn();
    expect(file.calls.slice(4)).toEqual(['BEGIN IMMEDIATE', 'b']);
    file.barriers[0]?.done();
    await expect.poll(() => file.calls.slice(6)).toEqual(['COMMIT', 'BARRIER']);
    file.barriers[1]?.done();
    await b.durable;
  });

  test('a refused write is undone alone', async () => {
    const { file, groups } = make();
    const refused = groups.writeAlone(() => {
      throw new WeirError('not_found', 'no such thing');
    });
    const kept = groups.writeAlone(() => 'value');
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    await turn();
    file.barriers[0]?.done();
    expect(await kept).toBe('value');
    expect(file.calls).toEqual([
      'BEGIN IMMEDIATE',
      'SAVEPOINT alone',
      'ROLLBACK TO alone',
      'RELEASE alone',
      'SAVEPOINT alone',
      'RELEASE alone',
      'COMMIT',
      'BARRIER',
    ]);
  });

  test('a checkpoint takes the place of the barrier', async () => {
    const { file, groups } = make();
    file.checkpointDue = true;
    await groups.write(() => file.note('a')).durable;
    expect(file.calls.slice(2)).toEqual(['COMMIT', 'CHECKPOINT']);
  });

  test('what has to run alone waits for the barrier and the open group', async () => {
    const { file, groups } = make();
    const a = groups.write(() => file.note('a')).durable;
    await turn();
    groups.write(() => file.note('b'));
    const alone = groups.alone(() => file.note('alone'));
    await turn();
    expect(file.calls).not.toContain('alone');
    file.barriers[0]?.done();
    await Promise.all([a, alone]);
    expect(file.calls.slice(4)).toEqual(['BEGIN IMMEDIATE', 'b', 'COMMIT', 'alone', 'BARRIER']);
  });

  test('flush waits for what was written before it, and for nothing when there is nothing', async () => {
    const { file, groups } = make();
    await groups.flush();
    groups.write(() => file.note('a'));
    const settled = watch({ flush: groups.flush() });
    await turn();
    expect(settled).toEqual([]);
    file.barriers[0]?.done();
    await turn();
    expect(settled).toEqual(['flush']);
  });
});

describe('after the disk failed', () => {
  test.each(['BEGIN IMMEDIATE', 'SAVEPOINT alone', 'RELEASE alone'])(
    'at %s, that write and all after it are refused with the reason',
    async (failOn) => {
      const { file, groups } = make();
      file.failOn = failOn;
      const first = () => groups.writeAlone(() => undefined);
      for (const write of [
        first,
        async () => groups.write(() => undefined),
        () => groups.writeAlone(() => undefined),
        () => groups.alone(() => undefined),
        () => groups.flush(),
      ]) {
        await expect(write()).rejects.toMatchObject({
          code: 'store_failed',
          message: `disk: Error: no ${failOn}`,
        });
      }
    },
  );

  test.each([
    ['disk', new WeirError('store_failed', 'full')],
    ['program', new TypeError('undefined is not a function')],
    ['program', new SqliteError(resultCode.constraint, 'UNIQUE')],
  ])('on the hot path, what was thrown by the %s is told as such', async (by, error) => {
    const { file, groups } = make();
    const neighbour = groups.write(() => file.note('a')).durable;
    const told = `${by}: ${String(error)}`;
    const broken = () =>
      groups.write(() => {
        throw error;
      });
    expect(broken).toThrow(told);
    await expect(neighbour).rejects.toThrow(told);
    expect(() => groups.write(() => undefined)).toThrow(told);
    expect(file.calls.at(-1)).toBe('ROLLBACK');
  });

  test.each(['COMMIT', 'CHECKPOINT'])('at %s, nothing is acknowledged', async (failOn) => {
    const { file, groups } = make();
    file.checkpointDue = true;
    file.failOn = failOn;
    const a = groups.write(() => file.note('a')).durable;
    await expect(a).rejects.toMatchObject({ code: 'store_failed' });
    expect(() => groups.write(() => undefined)).toThrow(/no (COMMIT|CHECKPOINT)/);
  });

  test('in a barrier, the group on its way and the open one fail together', async () => {
    const { file, groups } = make();
    const a = groups.write(() => file.note('a')).durable;
    await turn();
    const b = groups.write(() => file.note('b')).durable;
    const settled = watch({ a, b });
    file.barriers[0]?.fail(new Error('EIO'));
    await turn();
    expect(settled).toEqual(['a failed', 'b failed']);
    expect(file.calls.at(-1)).toBe('ROLLBACK');
    expect(groups.failure?.message).toContain('EIO');
  });
});
