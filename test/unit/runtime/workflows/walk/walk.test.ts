import { describe, expect, test } from 'vitest';
import type { StepDefinition } from '../../../../../src/protocol/workflow.ts';
import { Walk } from '../../../../../src/runtime/workflows/walk/walk.ts';
import { action, block, each, failure, ready, returns, seen, takeAll } from './definitions.ts';

const ok = returns(undefined);

describe('steps', () => {
  test('W6 run one after the other in the order of the file', () => {
    const walk = new Walk([action('a'), action('b')]);
    expect(ready(walk)).toEqual(['a']);
    walk.take(walk.ready()[0]!);
    expect(ready(walk)).toEqual([]);
    expect(walk.ended('a', returns(1))).toEqual([]);
    expect(ready(walk)).toEqual(['b']);
    expect(walk.state).toBe('going');
    walk.ended('b', ok);
    expect(walk.state).toBe('succeeded');
    expect(ready(walk)).toEqual([]);
  });

  test('W6 disabled ones are skipped and absent from what others see', () => {
    const off = { disabled: true };
    const walk = new Walk([
      action('a', off),
      action('b'),
      block('ifelse', 'c', { yes: [action('d')] }, off),
      action('e', off),
      action('f'),
      action('g', off),
    ]);
    expect(ready(walk)).toEqual(['b']);
    walk.ended('b', returns(1));
    expect(ready(walk)).toEqual(['f']);
    expect(seen(walk, 'f')).toEqual({ b: { $return_value: 1 } });
    walk.ended('f', ok);
    expect(walk.state).toBe('succeeded');
  });

  test.each([[[]], [[action('a', { disabled: true })]]])('none at all: %j', (steps) => {
    expect(new Walk(steps).state).toBe('succeeded');
  });

  test('W8 named exports and the return value are one object for later steps', () => {
    const walk = new Walk([action('a'), action('b'), action('c'), action('d'), action('e')]);
    walk.ended('a', { exports: '{"x":1,"$summary":"s"}', returnValue: '[2]' });
    walk.ended('b', { exports: '{"x":1}' });
    walk.ended('c', { exports: '{}', returnValue: 'null' });
    walk.ended('d', { exports: '{}' });
    expect(seen(walk, 'e')).toEqual({
      a: { $return_value: [2], x: 1, $summary: 's' },
      b: { x: 1 },
      c: { $return_value: null },
      d: {},
    });
  });

  test('W36 after one that failed nothing comes', () => {
    const walk = new Walk([action('a'), action('b')]);
    walk.ended('a', failure);
    expect(walk.state).toBe('failed');
    expect(walk.failure).toEqual({ path: 'a' });
    expect(ready(walk)).toEqual([]);
  });

  test('one that failed with on_error: continue is followed by the next, which sees what it exported', () => {
    const walk = new Walk([action('a'), action('b'), action('c')]);
    walk.ended('a', { failed: { continue: true, exports: '{"$attempt":3}' } });
    walk.ended('b', { failed: { continue: true } });
    expect(seen(walk, 'c')).toEqual({ a: { $attempt: 3 }, b: {} });
    walk.ended('c', ok);
    expect(walk.state).toBe('succeeded');
    expect(walk.failure).toBeUndefined();
  });

  test('W15 exit ends the execution with its reason', () => {
    const walk = new Walk([action('a'), action('b')]);
    walk.ended('a', { exports: '{}', exit: { reason: 'enough' } });
    expect(walk.state).toBe('exited');
    expect(walk.reason).toBe('enough');
    expect(ready(walk)).toEqual([]);
  });

  test('what is no task, or was taken, is refused by name', () => {
    const walk = new Walk([action('a'), action('b')]);
    const [first] = walk.ready();
    walk.take(first!);
    expect(() => {
      walk.take(first!);
    }).toThrow('The step a is not ready.');
    expect(() => walk.ended('b', ok)).toThrow('No step b can end now.');
    expect(() => walk.scope('b')).toThrow('No step b is ready or runs.');
    expect(() => walk.ended('a', { items: [] })).toThrow('The step a is not a block.');
    const other = new Walk([each('b', [])]);
    expect(() => other.ended('b', { chosen: [] })).toThrow(
      'The block b (each) cannot begin like that.',
    );
    expect(ready(other)).toEqual(['b']);
    expect(walk.task('a')).toBe(first);
    expect(walk.task('b')).toBeUndefined();
  });
});

describe.each(['ifelse', 'switch'] as const)('%s', (control) => {
  const steps = [
    action('before'),
    block(
      control,
      'if_1',
      { yes: [action('a'), action('b')], no: [action('c')], empty: [] },
      { otherwise: { disabled: false, steps: [action('d')] } },
    ),
    action('after'),
  ];

  function started(): Walk {
    const walk = new Walk(steps);
    walk.ended('before', returns('first'));
    expect(walk.ready()).toEqual([
      { kind: 'block', path: 'if_1', namespace: 'if_1', step: steps[1] },
    ]);
    expect(seen(walk, 'if_1')).toEqual({ before: { $return_value: 'first' } });
    return walk;
  }

  test("W46 the branch that was chosen runs, and its last step's exports are the block's", () => {
    const walk = started();
    walk.ended('if_1', { chosen: ['yes'] });
    expect(ready(walk)).toEqual(['if_1.yes.a']);
    walk.ended('if_1.yes.a', returns(1));
    expect(walk.ended('if_1.yes.b', { exports: '{"x":1}', returnValue: '2' })).toEqual([
      { path: 'if_1', outcome: { exports: '{"x":1}', returnValue: '2' } },
    ]);
    expect(ready(walk)).toEqual(['after']);
    expect(seen(walk, 'after')).toEqual({
      before: { $return_value: 'first' },
      if_1: { x: 1, $return_value: 2 },
    });
  });

  test('W46 never a second branch', () => {
    const walk = started();
    walk.ended('if_1', { chosen: ['no', 'yes', '$else'] });
    expect(ready(walk)).toEqual(['if_1.yes.a']);
  });

  test('W46 without a match its else runs', () => {
    const walk = started();
    walk.ended('if_1', { chosen: ['$else'] });
    expect(ready(walk)).toEqual(['if_1.$else.d']);
    walk.ended('if_1.$else.d', returns(1));
    expect(seen(walk, 'after')['if_1']).toEqual({ $return_value: 1 });
  });

  test.each([[[]], [['empty']]])('W46 nothing to run (%j): on after the block', (chosen) => {
    const walk = started();
    expect(walk.ended('if_1', { chosen })).toEqual([{ path: 'if_1', outcome: { exports: '{}' } }]);
    expect(ready(walk)).toEqual(['after']);
    expect(seen(walk, 'after')['if_1']).toEqual({});
  });

  test.each([undefined, { disabled: true, steps: [action('d')] }])(
    'W46 no match and an else of %j: on after the block',
    (otherwise) => {
      const walk = new Walk([
        block(control, 'if_1', { yes: [action('a')] }, otherwise && { otherwise }),
        action('after'),
      ]);
      walk.ended('if_1', { chosen: ['$else'] });
      expect(ready(walk)).toEqual(['after']);
    },
  );

  test('W46 a disabled last step does not count', () => {
    const off = action('b', { disabled: true });
    const walk = new Walk([block(control, 'if_1', { yes: [action('a'), off] }), action('after')]);
    walk.ended('if_1', { chosen: ['yes'] });
    walk.ended('if_1.yes.a', returns('last that ran'));
    expect(seen(walk, 'after')['if_1']).toEqual({ $return_value: 'last that ran' });
  });

  test('W47 a step sees its own segment and those around it, and nothing of a block before its end', () => {
    const walk = new Walk([
      action('x'),
      block(control, 'outer', {
        one: [action('y'), block(control, 'inner', { deep: [action('z'), action('end')] })],
      }),
      action('after'),
    ]);
    walk.ended('x', returns(1));
    walk.ended('outer', { chosen: ['one'] });
    walk.ended('outer.one.y', returns(2));
    walk.ended('outer.one.inner', { chosen: ['deep'] });
    walk.ended('outer.one.inner.deep.z', returns(3));
    expect(Object.keys(seen(walk, 'outer.one.inner.deep.end'))).toEqual(['x', 'y', 'z']);
    expect(walk.ended('outer.one.inner.deep.end', returns(4)).map(({ path }) => path)).toEqual([
      'outer.one.inner',
      'outer',
    ]);
    expect(seen(walk, 'after')).toEqual({ x: { $return_value: 1 }, outer: { $return_value: 4 } });
  });

  test('a failure inside fails what is around it', () => {
    const walk = started();
    walk.ended('if_1', { chosen: ['yes'] });
    expect(walk.ended('if_1.yes.a', failure)).toEqual([{ path: 'if_1', outcome: undefined }]);
    expect(walk.state).toBe('failed');
    expect(walk.failure).toEqual({ path: 'if_1.yes.a' });
  });

  test('a start that failed fails the block', () => {
    const walk = started();
    walk.ended('if_1', failure);
    expect(walk.state).toBe('failed');
    expect(walk.failure).toEqual({ path: 'if_1' });
  });

  test('a block that is given its outcome runs nothing inside', () => {
    const walk = started();
    walk.ended('if_1', returns('pinned'));
    expect(ready(walk)).toEqual(['after']);
    expect(seen(walk, 'after')['if_1']).toEqual({ $return_value: 'pinned' });
  });
});

describe('parallel', () => {
  const steps = [
    block('parallel', 'par', {
      'the left': [action('a'), action('b')],
      none: [],
      right: [action('c'), action('d')],
      third: [action('e')],
    }),
    action('after'),
  ];

  function started(chosen: readonly string[]): Walk {
    const walk = new Walk(steps);
    walk.ended('par', { chosen });
    return walk;
  }

  test('W48 branches run side by side, and the return value has those that ran', () => {
    const walk = started(['right', 'none', 'the left']);
    expect(ready(walk)).toEqual(['par.the left.a', 'par.right.c']);
    walk.ended('par.right.c', returns(1));
    expect(ready(walk)).toEqual(['par.the left.a', 'par.right.d']);
    walk.ended('par.the left.a', returns(2));
    walk.ended('par.right.d', { exports: '{"x":1}', returnValue: '{"y":3}' });
    expect(walk.state).toBe('going');
    walk.ended('par.the left.b', { exports: '{"x":1}' });
    expect(walk.scope('after').get('par')).toBe(
      '{"$return_value":{"the left":null,"none":null,"right":{"y":3}}}',
    );
  });

  test('W48 none of them', () => {
    const walk = started([]);
    expect(seen(walk, 'after')).toEqual({ par: { $return_value: {} } });
  });

  test('W47 a branch sees nothing of the other', () => {
    const walk = started(['the left', 'right']);
    walk.ended('par.right.c', returns(1));
    walk.ended('par.the left.a', returns(2));
    expect(seen(walk, 'par.the left.b')).toEqual({ a: { $return_value: 2 } });
    expect(seen(walk, 'par.right.d')).toEqual({ c: { $return_value: 1 } });
  });

  test('W48 one that fails lets the others finish, then the block fails', () => {
    const walk = started(['the left', 'right']);
    walk.ended('par.the left.a', failure);
    expect(walk.state).toBe('going');
    expect(walk.failure).toEqual({ path: 'par.the left.a' });
    expect(ready(walk)).toEqual(['par.right.c']);
    walk.ended('par.right.c', returns(1));
    expect(ready(walk)).toEqual(['par.right.d']);
    expect(walk.ended('par.right.d', failure)).toEqual([{ path: 'par', outcome: undefined }]);
    expect(walk.state).toBe('failed');
    expect(walk.failure).toEqual({ path: 'par.the left.a' });
    expect(ready(walk)).toEqual([]);
  });

  test('W15 exit in a branch lets running steps of the others end and starts nothing new', () => {
    const walk = started(['the left', 'right', 'third']);
    const [left, right] = walk.ready();
    walk.take(left!);
    walk.take(right!);
    walk.ended('par.the left.a', { exports: '{}', exit: { reason: null } });
    expect(ready(walk)).toEqual([]);
    expect(walk.state).toBe('going');
    expect(walk.isExiting).toBe(true);
    expect(walk.ended('par.right.c', failure)).toEqual([]);
    expect(walk.state).toBe('exited');
    expect(walk.isExiting).toBe(false);
    expect(walk.reason).toBeNull();
    expect(walk.failure).toBeUndefined();
    expect(ready(walk)).toEqual([]);
  });

  test('W15 exit after a restart: what was cut off beside it does not run again', () => {
    const walk = started(['the left', 'right']);
    walk.ended('par.right.c', { exports: '{}', exit: { reason: 'r' } });
    expect(walk.state).toBe('exited');
    walk.ended('par.the left.a', { exports: '{}', exit: { reason: 'a second one' } });
    expect(walk.state).toBe('exited');
    expect(walk.reason).toBe('r');
  });

  test('an exit beside a branch that has failed for good keeps the failure', () => {
    const walk = started(['the left', 'right']);
    takeAll(walk);
    walk.ended('par.the left.a', failure);
    walk.ended('par.right.c', { exports: '{}', exit: { reason: 'r' } });
    expect(walk.state).toBe('failed');
    expect(walk.failure).toEqual({ path: 'par.the left.a' });
  });
});

describe('each', () => {
  const inside = [action('a'), action('b')];

  function started(concurrency: number, items: readonly string[]): Walk {
    const walk = new Walk([action('x'), each('loop', inside, { concurrency }), action('after')]);
    walk.ended('x', ok);
    walk.ended('loop', { items });
    return walk;
  }

  test('one item at a time, each with all its steps, values in order of the items', () => {
    const walk = started(1, ['10', '20']);
    expect(ready(walk)).toEqual(['loop[0].a']);
    walk.ended('loop[0].a', ok);
    expect(ready(walk)).toEqual(['loop[0].b']);
    walk.ended('loop[0].b', returns('one'));
    expect(ready(walk)).toEqual(['loop[1].a']);
    walk.ended('loop[1].a', returns('not the last'));
    walk.ended('loop[1].b', ok);
    expect(seen(walk, 'after')['loop']).toEqual({ $return_value: ['one', null] });
  });

  test('W47 inside: item and index under its own name, nothing of other items', () => {
    const walk = started(2, ['{"id":1}', '"two"']);
    walk.ended('loop[0].a', returns(1));
    walk.ended('loop[1].a', returns(2));
    expect(seen(walk, 'loop[0].b')).toEqual({
      x: {},
      loop: { item: { id: 1 }, index: 0 },
      a: { $return_value: 1 },
    });
    expect(seen(walk, 'loop[1].b')).toEqual({
      x: {},
      loop: { item: 'two', index: 1 },
      a: { $return_value: 2 },
    });
  });

  test('W47 a loop in a loop: both items', () => {
    const walk = new Walk([each('outer', [each('inner', [action('a')])])]);
    walk.ended('outer', { items: ['1'] });
    walk.ended('outer[0].inner', { items: ['2', '3'] });
    walk.ended('outer[0].inner[0].a', ok);
    expect(seen(walk, 'outer[0].inner[1].a')).toEqual({
      outer: { item: 1, index: 0 },
      inner: { item: 3, index: 1 },
    });
  });

  test('at most as many items at a time as the file says, and the next in the place of one that ended', () => {
    const walk = started(2, ['1', '2', '3', '4']);
    expect(ready(walk)).toEqual(['loop[0].a', 'loop[1].a']);
    walk.ended('loop[1].a', ok);
    walk.ended('loop[1].b', returns('b'));
    expect(ready(walk)).toEqual(['loop[0].a', 'loop[2].a']);
    for (const path of ['loop[2].a', 'loop[2].b', 'loop[3].a', 'loop[0].a']) walk.ended(path, ok);
    walk.ended('loop[3].b', returns('d'));
    walk.ended('loop[0].b', returns('a'));
    expect(seen(walk, 'after')['loop']).toEqual({ $return_value: ['a', 'b', null, 'd'] });
  });

  test('no items: on after it', () => {
    const walk = started(1, []);
    expect(seen(walk, 'after')['loop']).toEqual({ $return_value: [] });
  });

  test('no step that is not disabled: a value for each item', () => {
    const walk = new Walk([each('loop', [action('a', { disabled: true })]), action('after')]);
    walk.ended('loop', { items: Array.from({ length: 10_000 }, () => '1') });
    expect(seen(walk, 'after')).toEqual({
      loop: { $return_value: Array.from({ length: 10_000 }, () => null) },
    });
  });

  test('an item that fails: those under way finish, no other starts, then the block fails', () => {
    const walk = started(2, ['1', '2', '3']);
    walk.ended('loop[0].a', failure);
    expect(ready(walk)).toEqual(['loop[1].a']);
    walk.ended('loop[1].a', ok);
    expect(ready(walk)).toEqual(['loop[1].b']);
    expect(walk.ended('loop[1].b', ok)).toEqual([{ path: 'loop', outcome: undefined }]);
    expect(walk.state).toBe('failed');
    expect(walk.failure).toEqual({ path: 'loop[0].a' });
  });
});

describe('size', () => {
  // Were the work for an item to grow with the number of items, this would take a minute.
  test.each([1, 64, 100_000])('a loop over 100,000 items, %d at a time', (concurrency) => {
    const walk = new Walk([each('loop', [action('a'), action('b')], { concurrency })]);
    walk.ended('loop', { items: Array.from({ length: 100_000 }, (_, index) => `${index}`) });
    const running: string[] = [];
    let steps = 0;
    while (walk.state === 'going') {
      for (const task of walk.ready()) {
        walk.take(task);
        running.push(task.path);
      }
      walk.ended(running[steps++] ?? '', ok);
    }
    expect(walk.state).toBe('succeeded');
    expect(steps).toBe(200_000);
  });

  test('blocks in blocks, 1,000 deep', () => {
    const inside = Array.from({ length: 1000 }).reduce<StepDefinition>(
      (step) => block('parallel', 'p', { b: [each('e', [step])] }),
      action('a'),
    );
    const walk = new Walk([inside]);
    let ended = 0;
    while (walk.state === 'going') {
      const { path, step } = walk.ready()[0]!;
      if (step.kind === 'action') ended = walk.ended(path, returns('deep')).length;
      else walk.ended(path, step.control === 'each' ? { items: ['1'] } : { chosen: ['b'] });
    }
    expect(walk.state).toBe('succeeded');
    expect(ended).toBe(2000);
  });
});
