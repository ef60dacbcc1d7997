/** A branch, tag or commit of a repository as a registry. */
import { WeirError } from '../../../protocol/errors.ts';
import { TreeRegistry } from '../tree-registry.ts';
import type { Repository } from './repository.ts';

/** @param ref branch, tag or commit; the repository's own branch without one */
export function gitRegistry(
  name: string,
  repository: Repository,
  ref: string | undefined,
): TreeRegistry {
  return new TreeRegistry({
    source: 'git',
    name,
    place: repository.url,
    async snapshot(signal, isListed) {
      const known = ref === undefined ? undefined : await knownCommit(repository, ref, signal);
      if (known === undefined)
        await repository.refresh(signal, { mayBeOld: true, mayBeMinutesOld: isListed });
      const commit = known ?? (await repository.commit(ref, signal));
      if (commit === undefined) {
        const what = ref === undefined ? 'no commit yet' : `no branch, tag or commit "${ref}"`;
        throw new WeirError('not_found', `${repository.url} has ${what}.`);
      }
      return { commit, tree: await repository.tree(commit.id, signal) };
    },
    async history(path, signal) {
      const commit = await repository.commit(ref, signal);
      if (commit === undefined) return [];
      const revisions = await repository.revisions(commit.id, path, signal);
      const blobs = await repository.blobs([...new Set(revisions.map(({ blob }) => blob))], signal);
      return revisions.flatMap(({ id, at, blob }) => {
        const bytes = blobs.get(blob);
        if (bytes === undefined) return [];
        const tree = (reading: AbortSignal) => repository.tree(id, reading);
        return [{ commit: { id, at }, code: new TextDecoder().decode(bytes), tree }];
      });
    },
  });
}

/** A commit that is here never changes: nothing need be asked for. */
async function knownCommit(repository: Repository, ref: string, signal: AbortSignal) {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i.test(ref) ? repository.commit(ref, signal) : undefined;
}
