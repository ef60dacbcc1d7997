/** docs/rest-api.md, from the catalogue: what the operations take and return is nowhere else. */
import { errorStatus } from '../../src/protocol/errors.ts';
import * as z from 'zod';
import { origin } from '../../src/protocol/schemas/origin.ts';
import { catalogue } from '../../src/protocol/schemas/catalogue.ts';
import { retryDelays } from '../../src/runtime/delivery/plan.ts';
import { createSchemaBook } from '../../src/runtime/faces/openapi-schemas.ts';
import { allRoutes, type OperationRoute } from '../../src/runtime/faces/routes.ts';
import { type Schema, tableOf, typeText } from './schema-text.mts';

const book = createSchemaBook();

export function restApi(): string {
  const main = allRoutes().filter((route) => route.main);
  const operations = [...grouped(main, ({ name }) => name.split('.')[0] ?? '')].map(
    ([tag, routes]) => {
      return `## ${titleOf(tag)}\n\n${routes.map(operationText).join('\n')}`;
    },
  );
  const resources = Object.entries(book.named).toSorted(([a], [b]) => a.localeCompare(b));
  const described = resources.map(([name, schema]) => `### ${name}\n\n${resourceText(schema)}`);
  return [
    head,
    originText(),
    ...operations,
    streams,
    deliveryText(),
    `## Resources\n\nTimes are in seconds on components, sources and webhooks, ISO 8601 on accounts, in milliseconds on everything else, each since 1970.\n\n${described.join('\n')}`,
  ].join('\n');
}

const errors = tableOf(
  ['status', '`code`'],
  [...grouped(Object.entries(errorStatus), ([, status]) => status)]
    .toSorted(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), codes.map(([code]) => `\`${code}\``).join(', ')]),
);

const head = `<!-- Written by scripts/docs.mts from the table of operations; change that, not this. -->

# REST API

The base URL and the key stand in \`.weir/runtime.json\`. Every request but \`GET /v1/health\` needs
\`Authorization: Bearer <apiKey>\` and has to come from this machine.

\`\`\`sh
curl -H "Authorization: Bearer $KEY" -X POST "$URL/v1/webhooks?url=https://example.com/hook"
\`\`\`

- Parameters stand in the query string or in a JSON body, with every method. The body wins over the query string, the path over both.
- A success is 200 (202 for deleting events) with \`{"data": …}\`; a list is \`{"page_info", "data"}\`.
- A parameter with * must be given.
- Lists take \`limit\` (1 to 100, 10 unless said), and \`after\` or \`before\` with a cursor of \`page_info\`.
- \`include=a,b\` and \`exclude=a,b\` choose fields of what comes back.
- Where an id of a source is asked for, its name slug does as well.
- \`GET /v1/openapi.json\` describes all of it as OpenAPI 3.1.

An error is \`{"error": "a sentence", "code": "…", "details": […]?}\`, with 422 also \`observations\`, what the component had logged. A 405 has
the methods that are possible in the header \`allow\`:

${errors}`;

/** Of every operation that takes code. */
const originNames = Object.keys(origin);

function originText(): string {
  const { properties = {} } = book.schemaOf(z.object(origin), 'input') as Schema;
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    typeText(schema),
    schema.description ?? '',
  ]);
  return `## Code of a component

Operations that take code are given one of these. Of \`component_id\`, \`component_code\` and \`component_url\` the first that is
given counts; a path or a key beside another is refused.

${tableOf(['parameter', 'type', ''], rows)}`;
}

const streams = `## Streams

\`GET /v1/sources/{id}/sse\` and \`GET /v1/sources/{id}/logs/sse\` are server-sent events, also without \`/v1\`: each message's data is one
[Event](#event) or [LogLine](#logline), its id the one to resume after. A reader that comes back with \`Last-Event-ID\` gets
everything it missed, without gap or repeat. Every 15 seconds there is a comment, to keep proxies from closing the connection. A
reader that falls 8 MB behind, an emitter that is deleted and a runtime that stops end the stream with an event named
\`closed\`, whose data says why.
`;

function deliveryText(): string {
  const waits = retryDelays.map(durationText).join(', ');
  return `## What a webhook gets

A POST with the bare event as JSON, and these headers:

${tableOf(
  ['header', 'value'],
  [
    ['`content-type`', '`application/json`'],
    ['`x-pd-emitter-id`', 'the emitter, such as a source'],
    ['`x-pd-timestamp`', 'when it was sent, ISO 8601'],
    [
      '`x-pd-signature`',
      '`t=<seconds>,v1=<hex>`: HMAC-SHA256 of `<seconds>.<body>`, the key is the secret as it was shown',
    ],
    [
      '`webhook-id`, `webhook-timestamp`, `webhook-signature`',
      'as [Standard Webhooks](https://www.standardwebhooks.com) has them; its libraries verify them. The id stays the same in every attempt',
    ],
  ],
)}
While a secret is being rotated, both signature headers carry two signatures, the new one first.

Any 2xx within 30 seconds is a delivery. Redirects are not followed. First attempts go out in the order of emission, one
at a time per webhook; a failed one is tried again after ${waits} (each up to 20 % more or less; \`Retry-After\` is followed
up to an hour) and holds nobody up. After the last one, or a 410, the delivery is \`exhausted\`. Sending again by hand is one attempt, signed
now with the same \`webhook-id\`, and schedules none.

## Reserved channels

A run that fails is an event on the channel \`$errors\` for those who subscribed to it
(\`{"original_event", "original_context", "error"}\`), the log lines of a run are one on \`$logs\` (\`{"context", "status", "logs"}\`).
Nothing is made of them without a listener, and lists and streams have them only when \`event_name\` asks for one.
`;
}

function durationText(ms: number): string {
  if (ms >= 3_600_000) return `${ms / 3_600_000} h`;
  return ms >= 60_000 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}

function operationText({ name, method, path, summary, status }: OperationRoute): string {
  const { input, output, rest = [] } = catalogue[name];
  const { properties = {}, required = [] } = book.schemaOf(input, 'input') as Schema;
  const paging = ['limit', 'after', 'before'].every((one) => one in properties);
  const hasOrigin = originNames.every((one) => one in properties);
  const rows = Object.entries(properties)
    .filter(([one]) => !(paging && ['limit', 'after', 'before'].includes(one)))
    .filter(([one]) => !(hasOrigin && originNames.includes(one)))
    .map(([one, schema]) => [
      `\`${one}\`${required.includes(one) ? ' *' : ''}`,
      typeText(schema),
      schema.description ?? '',
    ]);
  const others = rest.slice(1).map((route) => `\`${route.method} ${route.path}\``);
  const notes = [
    summary,
    ...(hasOrigin ? ['Takes the [code of a component](#code-of-a-component).'] : []),
    ...(others.length > 0 ? [`Also ${others.join(' and ')}.`] : []),
    `Returns ${returned(book.schemaOf(output, 'output'))}${paging ? ', a page of them' : ''}${status === undefined ? '' : ` (${status})`}.`,
  ];
  const table = tableOf(['parameter', 'type', ''], rows);
  return `### \`${method} ${path}\`\n\n${sentences(notes)}\n${table === '' ? '' : `\n${table}`}`;
}

function returned(schema: Schema): string {
  const page = schema.properties?.['page_info'] !== undefined;
  return typeText(page ? (schema.properties?.['data']?.items ?? {}) : schema);
}

function resourceText(schema: Schema): string {
  const { properties, required = [] } = schema;
  if (properties === undefined) return `${typeText(schema)}\n`;
  const rows = Object.entries(properties).map(([name, one]) => [
    `\`${name}\`${required.includes(name) ? '' : '?'}`,
    typeText(one),
    one.description ?? '',
  ]);
  return tableOf(['field', 'type', ''], rows);
}

function sentences(texts: readonly string[]): string {
  return texts.map((text) => (text.endsWith('.') ? text : `${text}.`)).join(' ');
}

/** `autoSubscriptions` → `Auto subscriptions`. */
function titleOf(tag: string): string {
  const words = tag
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
