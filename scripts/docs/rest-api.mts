/**
 * docs/rest-api.md: what the operations take and return, from the catalogue, and an example of each, from
 * a story that is told to a real runtime.
 */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { OperationName } from '../../src/protocol/catalogue.ts';
import { catalogue } from '../../src/protocol/schemas/catalogue.ts';
import { origin } from '../../src/protocol/schemas/origin.ts';
import { paging } from '../../src/protocol/schemas/page.ts';
import { retryDelays } from '../../src/runtime/events/delivery/plan.ts';
import { createSchemaBook } from '../../src/runtime/api/openapi-schemas.ts';
import { allRoutes, type OperationRoute } from '../../src/runtime/api/routes.ts';
import { exampleText } from './example-text.mts';
import type { Shown, ToldChapter } from './rest-story/tell.mts';
import { linkTo, type Schema, tableOf, typeText } from './schema-text.mts';

const book = createSchemaBook();
const routes = allRoutes().filter((route) => route.main);

/** @param told what each chapter showed, in the order of the page */
export async function restApi(told: readonly ToldChapter[]): Promise<string> {
  const chapters: string[] = [];
  for (const { title, text = '', shown } of told) {
    const entries: string[] = [];
    for (const one of shown) entries.push(await entryText(one));
    chapters.push(`## ${title}\n\n${text}\n\n${entries.join('\n')}`);
  }
  return [head, contents(told), firstText(), ...chapters, deliveryText(), resourcesText()].join(
    '\n',
  );
}

const head = `<!-- Written by npm run docs from the table of operations and scripts/docs/rest-story; change those, not this. -->

# REST API

Everything that the editor and the command line do with sources, events and webhooks, over HTTP. Each example below is an answer
that a runtime gave, with made-up ids, keys and times.

\`\`\`sh
URL=$(node -p "require('./.weir/runtime.json').url")
AUTH="Authorization: Bearer $(node -p "require('./.weir/runtime.json').apiKey")"
curl -H "$AUTH" "$URL/v1/sources"
\`\`\`

Every request but \`GET /v1/health\` needs a key. The one of \`runtime.json\` allows everything, to programs on the machine of the
runtime. Other people and programs get named keys, each with a scope. \`read\` sees what there is, \`deploy\` also brings code and runs it, and \`admin\` also manages secrets, keys and the runtime itself. Where nothing is said, \`read\` is enough.
\`GET /v1/openapi.json\` describes all of it as OpenAPI 3.1, for generators of clients.
`;

const pagesSection = 'Pages of a list';
const codeSection = 'Code of a component';
const firstSections = ['Parameters', 'Answers', pagesSection, 'Ids and names', codeSection];
const asides = ['What a webhook gets', 'Reserved channels', 'Resources'];

function firstText(): string {
  const ids = [...usualIds()].map(([place, text]) => [`\`${place}\``, text]);
  return `## Parameters

They stand in the query string or in a JSON body, with every method: \`curl -X POST "$URL/v1/webhooks?url=https://example.com/hook"\`
says the same as the body \`{"url": "https://example.com/hook"}\`. The path wins over the body, and the body over the query string. In the
tables below a parameter with * must be given. A body is 5 MB at most.

## Answers

A success is 200 with \`{"data": …}\` (202 for deleting events), and what is not is an ${linkTo('Errors', 'error')}. With
\`include=a,b\` or \`exclude=a,b\` an answer, or each item of a list, has only some of its fields; many examples below do that to
be short.

## ${pagesSection}

A list is \`{"page_info": …, "data": […]}\`. Events, runs, log lines and deliveries come newest first, everything else in the order it
was made. For the next page give \`end_cursor\` as \`after\`; behind the last one comes an empty page, whose cursors are null.

${tableOf(['parameter', 'type', ''], pagingRows)}

## Ids and names

Names can be given instead of ids in paths where it says so, percent-encoded, in any script.

${tableOf(['in a path', 'is'], ids)}

## ${codeSection}

Operations that take code are given one of these. Of \`component_id\`, \`component_code\` and \`component_url\` the first that is
given counts; a path or a key beside another is refused.

${tableOf(['parameter', 'type', ''], originRows())}`;
}

/** What the parameters of every list are; one that is missing here does not compile. */
const pagingTexts: Readonly<Record<keyof typeof paging, readonly [type: string, text: string]>> = {
  limit: ['integer', '1 to 100; 10 unless given'],
  after: ['string', 'a cursor: what comes after it'],
  before: ['string', 'a cursor: what comes before it'],
};
const pagingRows = Object.entries(pagingTexts).map(([name, texts]) => [`\`${name}\``, ...texts]);

function originRows(): string[][] {
  const { properties = {} } = book.schemaOf(z.object(origin), 'input') as Schema;
  return Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    typeText(schema),
    schema.description ?? '',
  ]);
}

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

Any 2xx within 30 seconds is a delivery. Redirects are not followed. First attempts go out in the order of emission, one at a time per webhook. A failed attempt is retried after ${waits}, each up to 20 % more or less. \`Retry-After\` is followed up to an hour. A retry delays no other delivery. After the last one, or a 410, the delivery is \`exhausted\`. Sending again by hand is one attempt, signed
now with the same \`webhook-id\`, and schedules none.

## Reserved channels

A run that fails is an event on the channel \`$errors\` for those who subscribed to it
(\`{"original_event", "original_context", "error"}\`), the log lines of a run are one on \`$logs\` (\`{"context", "status", "logs"}\`).
Nothing is made of them without a listener, but the errors of workflows, and lists and streams have them only when \`event_name\` asks for one.
`;
}

function durationText(ms: number): string {
  if (ms >= 3_600_000) return `${ms / 3_600_000} h`;
  return ms >= 60_000 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}

/** A reader looks for what there is to do. */
function contents(told: readonly ToldChapter[]): string {
  const links = (headings: readonly string[]): string =>
    headings.map((heading) => linkTo(heading)).join(' · ');
  const chapters = told.map(({ title, shown }) => [
    `**${linkTo(title)}**`,
    links(shown.map((one) => one.title)),
  ]);
  const lines = [
    ['**Every request**', links(firstSections)],
    ...chapters,
    ['**More**', links(asides)],
  ];
  return `## Contents\n\n${lines.map(([name, entries]) => `- ${name}: ${entries}`).join('\n')}\n`;
}

async function entryText({ title, operation, address, text, exchange }: Shown): Promise<string> {
  const route = routes.find(({ name }) => name === operation);
  const said = route === undefined ? `\`${address}\`\n\n${text ?? ''}` : operationText(route);
  return `### ${title}\n\n${said}\n\n${await exampleText(exchange)}`;
}

function operationText({ name, method, path, summary, status }: OperationRoute): string {
  const { output, rest = [], scope } = catalogue[name];
  const { properties, required } = inputOf(name);
  const isList = hasAll(properties, paging);
  const hasOrigin = hasAll(properties, origin);
  const rows = Object.entries(properties)
    .filter(([one]) => !(isList && one in paging) && !(hasOrigin && one in origin))
    .filter(([one, schema]) => !isUsualId(path, one, schema))
    .map(([one, schema]) => [
      `\`${one}\`${required.includes(one) ? ' *' : ''}`,
      typeText(schema),
      schema.description ?? '',
    ]);
  const others = rest.slice(1).map((route) => `\`${route.method} ${route.path}\``);
  const notes = [
    summary,
    ...(hasOrigin ? [`Takes the ${linkTo(codeSection, 'code of a component')}`] : []),
    ...(typeof scope === 'string' && scope !== 'read' ? [`Needs the scope \`${scope}\``] : []),
    ...(others.length > 0 ? [`Also ${others.join(' and ')}`] : []),
    `Returns ${returned(book.schemaOf(output, 'output'))}${isList ? `, ${linkTo(pagesSection, 'a page')} of them` : ''}${status === undefined ? '' : ` (${status})`}`,
  ];
  const table = tableOf(['parameter', 'type', ''], rows);
  return `\`${method} ${path}\`\n\n${sentences(notes)}\n${table === '' ? '' : `\n${table}`}`;
}

interface Input {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

function inputOf(name: OperationName): Input {
  const { properties = {}, required = [] } = book.schemaOf(
    catalogue[name].input,
    'input',
  ) as Schema;
  return { properties, required };
}

function hasAll(properties: object, shared: object): boolean {
  return Object.keys(shared).every((one) => one in properties);
}

/** What stands in the braces of paths, by `/v1/sources/{id}`: described once for all that begin so. */
function usualIds(): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, path } of routes) {
    const { properties } = inputOf(name);
    for (const [, parameter = ''] of path.matchAll(/\{(\w+)\}/g)) {
      const text = properties[parameter]?.description;
      const place = placeOf(path, parameter);
      if (text !== undefined && !found.has(place)) found.set(place, text);
    }
  }
  return found;
}

/** The path up to a parameter and with it. */
function placeOf(path: string, parameter: string): string {
  const braces = `{${parameter}}`;
  return path.slice(0, path.indexOf(braces) + braces.length);
}

/** Of a parameter of the path that has nothing of its own to say. */
function isUsualId(path: string, parameter: string, { description }: Schema): boolean {
  if (!path.includes(`{${parameter}}`)) return false;
  return description === undefined || usualIds().get(placeOf(path, parameter)) === description;
}

function returned(schema: Schema): string {
  const page = schema.properties?.['page_info'] !== undefined;
  const item = page ? (schema.properties?.['data']?.items ?? {}) : schema;
  const base = baseOf(item);
  if (base === undefined) return typeText(item);
  const more = Object.entries(fieldsBeyond(item, base));
  return `${linkTo(base)} with ${more.map(([name, one]) => `\`${name}\`: ${typeText(one)}`).join(', ')}`;
}

function resourcesText(): string {
  const named = Object.entries(book.named).toSorted(([a], [b]) => a.localeCompare(b));
  const described = named.map(([name, schema]) => `### ${name}\n\n${resourceText(schema)}`);
  return `## Resources

Times are in seconds on components, sources and webhooks, ISO 8601 on accounts, in milliseconds on everything else, each since 1970.

${described.join('\n')}`;
}

function resourceText(schema: Schema): string {
  if (schema.oneOf !== undefined) return schema.oneOf.map(resourceText).join('\nor\n\n');
  if (schema.properties === undefined) return `${typeText(schema)}\n`;
  const base = baseOf(schema);
  const own = base === undefined ? schema.properties : fieldsBeyond(schema, base);
  const rows = Object.entries(own).map(([name, one]) => [
    `\`${name}\`${schema.required?.includes(name) === true ? '' : '?'}`,
    typeText(one),
    one.description ?? '',
  ]);
  const table = tableOf(['field', 'type', ''], rows);
  return base === undefined ? table : `${linkTo(base)}, and:\n\n${table}`;
}

/** The largest resource whose fields all are fields of this one, so that they need not stand twice. */
function baseOf({ properties = {} }: Schema): string | undefined {
  const size = Object.keys(properties).length;
  const isWithin = ({ properties: fields = {} }: Schema): boolean =>
    Object.entries(fields).every(([name, one]) => isDeepStrictEqual(properties[name], one));
  const sizeOf = ({ properties: fields = {} }: Schema): number => Object.keys(fields).length;
  const [base] = Object.entries(book.named)
    .filter(([, one]) => sizeOf(one) >= 3 && sizeOf(one) < size && isWithin(one))
    .toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a));
  return base?.[0];
}

function fieldsBeyond(schema: Schema, base: string): Readonly<Record<string, Schema>> {
  const known = (book.named[base] as Schema | undefined)?.properties ?? {};
  const own = Object.entries(schema.properties ?? {}).filter(([name]) => !(name in known));
  return Object.fromEntries(own);
}

function sentences(texts: readonly string[]): string {
  return texts.map((text) => (text.endsWith('.') ? text : `${text}.`)).join(' ');
}
