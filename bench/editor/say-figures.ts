import { connect } from 'node:net';

/** Measures, and tells whoever opened this window what came out: the figures, or an error. */
export async function sayFigures(measure: () => Promise<object>): Promise<void> {
  const driver = connect(Number(process.env['WEIR_BENCH_PORT']), '127.0.0.1');
  let said: object;
  try {
    said = await measure();
  } catch (error) {
    said = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  driver.end(JSON.stringify(said));
}
