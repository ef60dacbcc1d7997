import * as z from 'zod';
import { catalogue } from '../../protocol/schemas/catalogue.ts';
import { id } from '../../protocol/schemas/fields.ts';
import { briefLog } from '../brief.ts';
import { uriOf } from '../documents.ts';
import { tool } from '../tool.ts';

/** Why an event was not emitted, with the facts needed to change that. */
export const explainDrop = tool({
  name: 'explain_drop',
  title: 'Explain why an event was dropped',
  description:
    'Why an event was dropped: the reason, how its source dedupes, and what its run said. list_events with include_dropped finds such events.',
  input: z.object({
    id: id.describe('source or workflow: id or name slug'),
    event_id: catalogue['events.get'].input.shape.event_id,
  }),
  does: 'reads',
  run: async (args, { call }) => {
    const [emitter, event] = await Promise.all([
      call('emitters.find', { id: args.id }),
      call('events.get', args),
    ]);
    const uri = uriOf('events', emitter.id, event.id);
    if (emitter.type === 'workflow') {
      return {
        operation: 'events.get',
        uri,
        data: { dropped: event.dropped, run: event.invocation_id },
      };
    }
    const of = { id: emitter.id, invocation_id: event.invocation_id };
    const [{ dedupe }, run] = await Promise.all([
      call('sources.get', { id: emitter.id }),
      call('invocations.get', of),
    ]);
    return {
      operation: 'events.get',
      uri,
      data: {
        dropped: event.dropped,
        emitted: event.dropped === null,
        dedupe,
        emit_id: event.metadata.id ?? null,
        run: {
          id: run.id,
          status: run.status,
          emitted: run.emitted_count,
          dropped: run.dropped_count,
        },
        logs: run.logs.filter(({ kind }) => kind === 'drop').map(briefLog),
      },
    };
  },
});
