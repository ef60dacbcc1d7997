/**
 * What an author sees while typing. `tsc -p .` is the judge: an `@ts-expect-error` without an error
 * fails, and so does a wrong `expectTypeOf`.
 */
import { describe, expect, expectTypeOf, test } from 'vitest';
import { defineAction, defineApp, defineSource } from '../../../src/component/component.ts';
import type {
  DataStore,
  DirFile,
  HttpEvent,
  HttpRequest,
  TimerEvent,
} from '../../../src/component/component.ts';
import type { Db, HttpInterface, TimerInterface } from '../../../src/component/instance.ts';

const github = defineApp({
  type: 'app',
  app: 'github',
  propDefinitions: {
    repo: {
      type: 'string',
      label: 'Repository',
      async options({ page }) {
        expectTypeOf(page).toEqualTypeOf<number>();
        return this.list(page);
      },
    },
    count: { type: 'integer', optional: true },
  },
  methods: {
    list(page: number): string[] {
      return [`${this.$auth['api_key']}/${page}`];
    },
    first() {
      // @ts-expect-error: a method that is not there
      void this.lst;
      return this.list(0)[0];
    },
  },
});

describe('what is given comes back', () => {
  test('a source, an action and an app', () => {
    const source = { name: 'a', run: () => 1 };
    expect(defineSource(source)).toBe(source);
    const action = { name: 'b', type: 'action', run: () => 1 } as const;
    expect(defineAction(action)).toBe(action);
    expect(github.methods.list.call({ $auth: { api_key: 'k' } }, 1)).toEqual(['k/1']);
  });
});

/** Not run, and no test of its own: it would pass whatever stands in it. */
const compiles = (_what: string, _code: () => void): void => undefined;

compiles('this has the props', () => {
  compiles('of every type', () => {
    defineSource({
      name: 'All',
      props: {
        db: '$.service.db',
        store: { type: '$.service.db' },
        http: { type: '$.interface.http', customResponse: true },
        timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } },
        text: { type: 'string' },
        maybe: { type: 'string', optional: true, default: 'x' },
        size: { type: 'integer', min: 1 },
        on: { type: 'boolean' },
        tags: { type: 'string[]', options: ['a', { label: 'B', value: 'b' }] },
        sizes: { type: 'integer[]', optional: true },
        picked: { type: 'string', withLabel: true, optional: true },
        map: { type: 'object' },
        anything: { type: 'any' },
        short: 'string',
        slack: { type: 'app', app: 'slack' },
      },
      run() {
        expectTypeOf(this.db).toEqualTypeOf<Db>();
        expectTypeOf(this.store).toEqualTypeOf<Db>();
        expectTypeOf(this.http).toEqualTypeOf<HttpInterface>();
        expectTypeOf(this.timer).toEqualTypeOf<TimerInterface>();
        expectTypeOf(this.text).toEqualTypeOf<string>();
        expectTypeOf(this.maybe).toEqualTypeOf<string | undefined>();
        expectTypeOf(this.size).toEqualTypeOf<number>();
        expectTypeOf(this.on).toEqualTypeOf<boolean>();
        expectTypeOf(this.tags).toEqualTypeOf<string[]>();
        expectTypeOf(this.sizes).toEqualTypeOf<number[] | undefined>();
        expectTypeOf(this.picked).toEqualTypeOf<{ label: string; value: string } | undefined>();
        expectTypeOf(this.map).toEqualTypeOf<Record<string, unknown>>();
        expectTypeOf(this.anything).toEqualTypeOf<unknown>();
        expectTypeOf(this.short).toEqualTypeOf<string>();
        expectTypeOf(this.slack.$auth['token']).toEqualTypeOf<string | undefined>();
        // @ts-expect-error: a prop that is not there
        void this.txt;
        // @ts-expect-error: it may be left out
        void this.maybe.length;
      },
    });
  });

  compiles('that are services', () => {
    defineAction({
      name: 'Services',
      type: 'action',
      props: {
        store: { type: 'data_store' },
        request: { type: 'http_request', optional: true },
        sql: { type: 'sql', auth: { app: 'pg' } },
        dir: { type: 'dir', accessMode: 'write' },
        short: 'data_store',
      },
      async run({ $ }) {
        expectTypeOf(this.store).toEqualTypeOf<DataStore>();
        expectTypeOf(this.short).toEqualTypeOf<DataStore>();
        expectTypeOf(this.request).toEqualTypeOf<HttpRequest | undefined>();
        expectTypeOf(this.sql.params).toEqualTypeOf<unknown[]>();
        expectTypeOf(this.dir.open('x')).toEqualTypeOf<DirFile>();
        expectTypeOf($.flow.delay(1).resume_url).toEqualTypeOf<string>();
        for await (const [key] of this.store) expectTypeOf(key).toEqualTypeOf<string>();
        // @ts-expect-error: everything of a data store is a promise
        void this.store.keys().length;
      },
    });
    defineSource({
      name: 'Fed by an app',
      props: { hook: { type: '$.interface.apphook', appProp: 'slack', eventNames: ['message'] } },
      run(event) {
        expectTypeOf(event).toBeAny();
        expectTypeOf(this.hook).toEqualTypeOf<undefined>();
      },
    });
  });

  compiles('of an app, with its methods', () => {
    defineSource({
      name: 'App',
      props: { github, optional: { ...github, optional: true } },
      run() {
        expectTypeOf(this.github.list(1)).toEqualTypeOf<string[]>();
        expectTypeOf(this.github.first()).toEqualTypeOf<string | undefined>();
        // @ts-expect-error: a method the app does not have
        void this.github.lst;
        // @ts-expect-error: the account may be left out
        void this.optional.$auth;
      },
    });
  });

  compiles('of a propDefinition, with what is laid over it', () => {
    defineSource({
      name: 'Reuse',
      props: {
        github,
        repo: { propDefinition: [github, 'repo'] },
        repos: { propDefinition: [github, 'repo'], type: 'string[]', optional: true },
        count: { propDefinition: [github, 'count', (c: { repo: string }) => ({ repo: c.repo })] },
        all: { propDefinition: [github, 'count'], optional: false },
      },
      run() {
        expectTypeOf(this.repo).toEqualTypeOf<string>();
        expectTypeOf(this.repos).toEqualTypeOf<string[] | undefined>();
        expectTypeOf(this.count).toEqualTypeOf<number | undefined>();
        expectTypeOf(this.all).toEqualTypeOf<number>();
      },
    });
  });

  compiles('in methods, hooks, options and additionalProps', () => {
    defineSource({
      name: 'Everywhere',
      props: {
        channel: 'string',
        thread: {
          type: 'string',
          async options({ prevContext, query }) {
            expectTypeOf(query).toEqualTypeOf<string | undefined>();
            return { options: [this.channel], context: { token: prevContext.token } };
          },
        },
      },
      methods: {
        shout() {
          return this.channel.toUpperCase();
        },
        twice(text: string) {
          return text + this.shout();
        },
      },
      hooks: {
        async activate() {
          expectTypeOf(this.twice('a')).toEqualTypeOf<string>();
          this.$emit({ channel: this.channel });
          // @ts-expect-error: a method that is not there
          void this.shut;
        },
      },
      additionalProps() {
        return { [this.channel]: { type: 'string' } };
      },
      run() {
        expectTypeOf(this.shout()).toEqualTypeOf<string>();
        // @ts-expect-error: a number is no text
        this.twice(1);
      },
    });
  });
});

compiles('run(event)', () => {
  compiles('gets what the interfaces send', () => {
    const http = '$.interface.http';
    const timer = '$.interface.timer';
    defineSource({
      name: 'http',
      props: { http },
      run: (event) => expectTypeOf(event).toEqualTypeOf<HttpEvent>(),
    });
    defineSource({
      name: 'timer',
      props: { timer: { type: timer } },
      run: (event) => expectTypeOf(event).toEqualTypeOf<TimerEvent>(),
    });
    defineSource({
      name: 'both',
      props: { http, timer },
      run: (event) => expectTypeOf(event).toEqualTypeOf<HttpEvent | TimerEvent>(),
    });
    defineSource({
      name: 'neither',
      props: { text: 'string' },
      run: (event) => expectTypeOf(event).toBeAny(),
    });
  });

  compiles('of an action gets the step', () => {
    defineAction({
      name: 'Act',
      type: 'action',
      props: { text: 'string' },
      run({ $, steps }) {
        $.export('$summary', this.text);
        void steps['trigger'].event.id;
        // @ts-expect-error: only sources emit
        this.$emit({});
        return $.flow.exit('done');
      },
    });
  });
});

compiles('$emit', () => {
  compiles('wants an id when there is a dedupe strategy', () => {
    defineSource({
      name: 'Deduped',
      dedupe: 'unique',
      run() {
        this.$emit({}, { id: 1, summary: 'one', ts: 1 });
        // @ts-expect-error: no id
        this.$emit({}, { summary: 'one' });
        // @ts-expect-error: no metadata
        this.$emit({});
      },
    });
    defineSource({
      name: 'Not deduped',
      run() {
        this.$emit('text');
        // @ts-expect-error: no such key
        this.$emit({}, { sumary: 'one' });
      },
    });
  });
});

compiles('slips are errors', () => {
  compiles('of the component', () => {
    // @ts-expect-error: dedup
    defineSource({ name: 'a', dedup: 'unique' });
    // @ts-expect-error: no such strategy
    defineSource({ name: 'a', dedupe: 'newest' });
    // @ts-expect-error: no name
    defineSource({});
    // @ts-expect-error: an action says so
    defineAction({ name: 'a', run() {} });
    // @ts-expect-error: no such hook
    defineSource({ name: 'a', hooks: { deployed() {} } });
  });

  compiles('of a prop', () => {
    // @ts-expect-error: no such type
    defineSource({ name: 'a', props: { x: { type: 'strng' } } });
    // @ts-expect-error: no such type
    defineSource({ name: 'a', props: { x: '$.service.dbb' } });
    // @ts-expect-error: no such key
    defineSource({ name: 'a', props: { x: { type: 'string', optinal: true } } });
    // @ts-expect-error: of integers only
    defineSource({ name: 'a', props: { x: { type: 'string', min: 1 } } });
    // @ts-expect-error: of strings only
    defineSource({ name: 'a', props: { x: { type: 'integer', secret: true } } });
    // @ts-expect-error: a text is no number
    defineSource({ name: 'a', props: { x: { type: 'integer', default: '5' } } });
    // @ts-expect-error: no such definition
    defineSource({ name: 'a', props: { x: { propDefinition: [github, 'rpo'] } } });
    // @ts-expect-error: no such key
    defineApp({ type: 'app', app: 'x', propDefinitions: { y: { type: 'string', lable: 'Y' } } });
  });
});
