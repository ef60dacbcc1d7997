/** The OpenAPI 3.1 description of the REST face, made from the catalogue's schemas. */
import { z } from 'zod';
import { version } from '../../../package.json';
import { catalogue } from '../../protocol/schemas/catalogue.ts';
import { allRoutes, type OperationRoute, streamPaths } from './routes.ts';

type Json = Readonly<Record<string, unknown>>;

export function openApi(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of allRoutes().filter(({ main }) => main)) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = describe(route);
  }
  for (const [path, feed] of Object.entries(streamPaths)) {
    paths[path] = { get: describeStream(streamSummaries[feed]) };
  }
  paths['/v1/health'] = { get: { summary: 'Is the runtime there', security: [], responses: ok } };
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
      schemas: { Error: errorSchema },
    },
    security: [{ apiKey: [] }],
    paths,
  };
}

const ok = { 200: { description: 'OK' } };

const errorSchema = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'One sentence for a person' },
    code: { type: 'string' },
    details: { type: 'array', items: { type: 'object' } },
  },
};

const streamSummaries = {
  events: 'Events of a source as they are emitted; Last-Event-ID resumes',
  logs: 'Log lines of a source as they are written',
};

function describe(route: OperationRoute): object {
  const { input, output } = catalogue[route.name];
  const { properties = {}, required = [] } = schemaOf(input, 'input') as {
    properties?: Json;
    required?: string[];
  };
  const inPath = parametersOf(route.path);
  const others = Object.entries(properties).filter(([name]) => !inPath.includes(name));
  const inBody = route.method === 'POST' || route.method === 'PUT';
  const query = inBody ? [] : others;
  return {
    operationId: route.name,
    summary: route.summary,
    parameters: [
      ...inPath.map((name) => parameter(name, 'path', properties[name] ?? text, true)),
      ...query.map(([name, schema]) => parameter(name, 'query', schema, required.includes(name))),
    ],
    ...(inBody && others.length > 0 ? { requestBody: body(others, required) } : {}),
    responses: {
      [route.status ?? 200]: {
        description: 'OK',
        content: { 'application/json': { schema: envelope(schemaOf(output, 'output')) } },
      },
      default: {
        description: 'What went wrong',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function describeStream(summary: string): object {
  return {
    summary,
    parameters: [parameter('id', 'path', text, true)],
    responses: { 200: { description: 'OK', content: { 'text/event-stream': { schema: text } } } },
  };
}

const text = { type: 'string' };

function parameter(
  name: string,
  where: 'path' | 'query',
  schema: unknown,
  required: boolean,
): Json {
  return { name, in: where, required, schema };
}

function body(properties: readonly (readonly [string, unknown])[], required: string[]): Json {
  const names = properties.map(([name]) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: required.filter((name) => names.includes(name)),
  };
  return { content: { 'application/json': { schema } } };
}

function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

/** A page brings its own envelope. */
function envelope(schema: Json): Json {
  const properties = schema['properties'] as Json | undefined;
  if (properties !== undefined && 'page_info' in properties) return schema;
  return { type: 'object', required: ['data'], properties: { data: schema } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
