/** The OpenAPI 3.1 description of the REST face, made from the catalogue's schemas. */
import { version } from '../../../package.json';
import type { OperationName } from '../../protocol/catalogue.ts';
import type { Scope } from '../../protocol/scopes.ts';
import { catalogue } from '../../protocol/schemas/catalogue.ts';
import { createSchemaBook, type Json, type SchemaBook } from './openapi-schemas.ts';
import { allRoutes, type OperationRoute, streamPaths } from './routes.ts';

export function openApi(): object {
  const paths: Record<string, Record<string, object>> = {};
  const book = createSchemaBook();
  for (const route of allRoutes().filter(({ main }) => main)) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = describe(route, book);
  }
  for (const [path, feed] of Object.entries(streamPaths)) {
    paths[path] = { get: describeStream(feed) };
  }
  paths['/v1/health'] = { get: health };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Weir',
      version,
      description:
        'Parameters may stand in the query string or in a JSON body, everywhere. ' +
        '`include` and `exclude` take comma-separated names of fields.',
    },
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema, ...book.named },
    },
    security: [{ apiKey: [] }],
    servers: [{ url: '/', description: 'The runtime that serves this description' }],
    paths,
  };
}

const health = {
  operationId: 'health',
  tags: ['runtime'],
  summary: 'Is the runtime there; needs no key',
  security: [],
  responses: {
    200: {
      description: 'OK',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['status'],
            properties: { status: { type: 'string', const: 'ok' } },
          },
        },
      },
    },
  },
};

const errorSchema = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'One sentence for a person' },
    code: { type: 'string' },
    details: { type: 'array', items: { type: 'object' } },
    observations: {
      type: 'array',
      items: { type: 'object' },
      description: 'with 422: what the component had said',
    },
  },
};

const streamSummaries = {
  events: 'Events of a source or workflow as they are emitted; Last-Event-ID resumes',
  logs: 'Log lines of a source or workflow as they are written; Last-Event-ID resumes',
};

/** The least that a key has to allow, as a role of the security scheme. */
function scopeOf(name: OperationName): Scope {
  const { scope } = catalogue[name];
  return typeof scope === 'string' ? scope : 'read';
}

function describe(route: OperationRoute, book: SchemaBook): object {
  const { input, output } = catalogue[route.name];
  const { properties = {}, required = [] } = book.schemaOf(input, 'input') as {
    properties?: Json;
    required?: string[];
  };
  const inPath = parametersOf(route.path);
  const others = Object.entries(properties).filter(([name]) => !inPath.includes(name));
  const inBody = route.method === 'POST' || route.method === 'PUT';
  const query = inBody ? [] : others;
  return {
    operationId: route.name,
    tags: [route.name.split('.')[0]],
    summary: route.summary,
    security: [{ apiKey: [scopeOf(route.name)] }],
    parameters: [
      ...inPath.map((name) => parameter(name, 'path', properties[name] ?? text, true)),
      ...query.map(([name, schema]) => parameter(name, 'query', schema, required.includes(name))),
    ],
    ...(inBody && others.length > 0 ? { requestBody: body(others, required) } : {}),
    responses: {
      [route.status ?? 200]: {
        description: 'OK',
        content: { 'application/json': { schema: envelope(book.schemaOf(output, 'output')) } },
      },
      ...failures,
    },
  };
}

const failure = {
  description: 'What went wrong',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

const failures = { '4XX': failure, '5XX': failure };

function describeStream(feed: keyof typeof streamSummaries): object {
  return {
    operationId: `${feed}.stream`,
    tags: [feed],
    summary: streamSummaries[feed],
    security: [{ apiKey: ['read'] }],
    parameters: [
      parameter('id', 'path', text, true),
      parameter('Last-Event-ID', 'header', text, false),
    ],
    responses: {
      200: { description: 'OK', content: { 'text/event-stream': { schema: text } } },
      ...failures,
    },
  };
}

const text = { type: 'string' };

function parameter(
  name: string,
  where: 'path' | 'query' | 'header',
  schema: unknown,
  required: boolean,
): Json {
  return { name, in: where, required, schema };
}

function body(properties: readonly (readonly [string, unknown])[], required: string[]): Json {
  const names = properties.map(([name]) => name);
  const needed = required.filter((name) => names.includes(name));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(needed.length > 0 && { required: needed }),
  };
  return { required: needed.length > 0, content: { 'application/json': { schema } } };
}

function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

/** A page has its own envelope. */
function envelope(schema: Json): Json {
  const properties = schema['properties'] as Json | undefined;
  if (properties !== undefined && 'page_info' in properties) return schema;
  return { type: 'object', required: ['data'], properties: { data: schema } };
}
