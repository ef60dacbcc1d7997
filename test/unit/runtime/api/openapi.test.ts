import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openApi } from '../../../../src/runtime/api/openapi.ts';
import { allRoutes } from '../../../../src/runtime/api/routes.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const document = openApi() as Document;

test('a public validator takes the description as OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(
    JSON.parse(JSON.stringify(document)) as Record<string, unknown>,
  );
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('every documented route stands in it, once, with an id of its own', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routes = allRoutes().filter(({ main }) => main);
  expect(described).toEqual(
    expect.arrayContaining(routes.map(({ method, path }) => `${method} ${path}`)),
  );
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('resources are named schemas, and every reference leads to one', () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Source', 'Event', 'Delivery']));
  const text = JSON.stringify(document);
  expect(text).not.toContain('$defs');
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    expect(schemas).toHaveProperty(name!);
  }
});
