/** Columns of a row as what the schema says they are. */
import type { Row } from './row-table.ts';

export const text = (row: Row, column: string): string => row[column] as string;
export const textOrNull = (row: Row, column: string): string | null => row[column] as string | null;
export const number = (row: Row, column: string): number => row[column] as number;
export const numberOrNull = (row: Row, column: string): number | null =>
  row[column] as number | null;
export const flag = (row: Row, column: string): boolean => row[column] as boolean;
export const json = (row: Row, column: string): unknown => JSON.parse(text(row, column));
export const jsonOrNull = (row: Row, column: string): unknown =>
  row[column] === null ? null : json(row, column);
