import { readFile } from 'node:fs/promises';
import { format, type FormatOptions } from 'oxfmt';
import { cliText } from './cli.mts';
import { restApi } from './rest-api.mts';

/** The pages that are written by machine, by file name, formatted as `npm run lint` wants them. */
export async function pages(): Promise<Readonly<Record<string, string>>> {
  return {
    'docs/rest-api.md': await formatted('rest-api.md', restApi()),
    'docs/cli.md': await formatted('cli.md', cliText()),
  };
}

async function formatted(name: string, text: string): Promise<string> {
  const options = JSON.parse(await readFile('.oxfmtrc.json', 'utf8')) as FormatOptions;
  const { code, errors } = await format(name, text, options);
  if (errors.length > 0) throw new Error(`${name}: ${JSON.stringify(errors)}`);
  return code;
}
