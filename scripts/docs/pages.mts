import { readFile } from 'node:fs/promises';
import { format, type FormatOptions } from 'oxfmt';
import { appJsonSchema } from '../../src/runtime/accounts/apps/json-schema.ts';
import { workflowJsonSchema } from '../../src/runtime/workflows/file/json-schema.ts';
import { house } from '../lint/house.mts';
import { cliText } from './cli.mts';
import { languageModelTools } from './language-model-tools.mts';
import { restApi } from './rest-api.mts';
import { roomsText } from './rooms.mts';
import type { ToldChapter } from './rest-story/tell.mts';

/** The pages that are written by machine, formatted as `npm run lint` wants them. */
export const cliPage = (): Promise<string> => formatted('cli.md', cliText());

/** The rooms of `src`, for those who work on it. */
export const roomsPage = (): Promise<string> => formatted('rooms.md', roomsText(house));

/** The JSON Schema of `workflow.yaml` that the extension contributes. */
export const workflowSchema = (): Promise<string> =>
  formatted('workflow.schema.json', JSON.stringify(workflowJsonSchema()));

/** The JSON Schema of definitions of apps. */
export const appSchema = (): Promise<string> =>
  formatted('app.schema.json', JSON.stringify(appJsonSchema()));

/** package.json with the tools that the extension offers to language models: those of `weir mcp`. */
export async function manifest(): Promise<string> {
  const whole = JSON.parse(await readFile('package.json', 'utf8')) as {
    contributes: Record<string, unknown>;
  };
  whole.contributes['languageModelTools'] = languageModelTools();
  return formatted('package.json', JSON.stringify(whole));
}

/** @param told the story, as a runtime answered it */
export async function restPage(told: readonly ToldChapter[]): Promise<string> {
  return formatted('rest-api.md', await restApi(told));
}

async function formatted(name: string, text: string): Promise<string> {
  const options = JSON.parse(await readFile('.oxfmtrc.json', 'utf8')) as FormatOptions;
  const { code, errors } = await format(name, text, options);
  if (errors.length > 0) throw new Error(`${name}: ${JSON.stringify(errors)}`);
  return code;
}
