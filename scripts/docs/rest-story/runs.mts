import { until } from '../../../test/support/until.ts';
import type { Chapter } from './story.mts';

const endless = `export default { name: 'Endless', run() { return new Promise((resolve) => setTimeout(resolve, 1e6)) } }`;

export const runs: Chapter = {
  title: 'Runs',
  text: 'A source runs when something triggers it. A run, also that of a hook, is an invocation: it knows its trigger, its log and what it emitted.',
  async tell({ show, call, post, example }) {
    const id = 'http-inbox';
    const event = { method: 'POST', path: '/orders', body: { id: 1, title: 'First order' } };
    await show('Run a source now', 'sources.invoke', { id, event });
    await show('Try a run without keeping anything', 'sources.dryRun', {
      id,
      component_path: example('http-inbox'),
      event,
    });

    const { endpoint_url } = await call('sources.get', { id });
    await post(endpoint_url, { id: 2, title: 'Second order' });
    const { id: invocation_id } = await until('the run by the request', async (seen) => {
      const page = seen(await call('invocations.list', { id }));
      return page.data.find(({ status, cause }) => status === 'succeeded' && cause === 'http');
    });
    await show('List the runs of a source', 'invocations.list', { id, limit: 1 });
    await show('Read a run', 'invocations.get', { id, invocation_id });
    await show(
      'Replay a run',
      'sources.replay',
      { id, invocation_id },
      { include: 'id,cause,replay_of,status' },
    );

    await call('sources.deploy', { component_code: endless });
    const run = call('sources.invoke', { id: 'endless' });
    const running = await until('a run that goes on', async (seen) => {
      const page = seen(await call('invocations.list', { id: 'endless' }));
      return page.data.find(({ status, cause }) => status === 'running' && cause === 'manual');
    });
    await show(
      'Stop a run',
      'invocations.stop',
      { id: 'endless', invocation_id: running.id },
      { include: 'id,status,error' },
    );
    await run;
    await show('See how much a source did', 'sources.activity', { id, hours: 24, buckets: 4 });
  },
};
