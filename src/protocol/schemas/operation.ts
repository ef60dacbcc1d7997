import type { z } from 'zod';
import type { Scope } from '../scopes.ts';

/** The REST route of an operation. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL, parameters as `{name}`. */
  readonly path: string;
  /** 200 unless given. */
  readonly status?: number;
  /** Bytes of a request body, where it may be larger than usual. */
  readonly bodyLimit?: number;
}

/** Input and result of a call. `summary` is its sentence in the documents. */
interface Operation<I extends z.ZodType, O extends z.ZodType> {
  /** The scope that a key needs; a function of the checked input, if it depends on that. */
  readonly scope: Scope | ((input: z.output<I>) => Scope);
  readonly summary: string;
  readonly input: I;
  readonly output: O;
  /** The first is the one that is documented; the others are the platform's twins. */
  readonly rest?: readonly Route[];
}

/** Keeps the types of an operation's schemas as they are written. */
export const operation = <I extends z.ZodType, O extends z.ZodType>(
  o: Operation<I, O>,
): Operation<I, O> => o;
