/** An error of an operation as JSON-RPC shows it; `data` is what our clients read. */
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import type { ErrorCode, ErrorData } from '../../protocol/errors.ts';
import { presentable } from '../server/reply.ts';

/** The reserved code where JSON-RPC has one, else one of the range left to servers. */
const codes: Partial<Record<ErrorCode, number>> = {
  bad_input: ErrorCodes.InvalidParams,
  internal: ErrorCodes.InternalError,
  store_failed: ErrorCodes.InternalError,
  // RequestCancelled of the language server protocol, whose `$/cancelRequest` this is.
  cancelled: -32800,
};
const otherError = -32000;

export function rpcError(thrown: unknown): ResponseError<ErrorData> {
  const error = presentable(thrown);
  return new ResponseError(codes[error.code] ?? otherError, error.message, error.toJSON());
}
