/** Nodes of one database, and how what they run is shared out among them. */
import type { TestPostgres } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { startNode, type TestNode } from './node.ts';

export interface Cluster {
  /** Of the database. */
  readonly url: string;
  readonly nodes: readonly TestNode[];
  /** Resolves when nodes own so many emitters each, fewest first. */
  readonly isSpread: (wanted: readonly number[]) => Promise<unknown>;
  /** What lies in inboxes and no owner has taken up. */
  readonly left: () => Promise<readonly unknown[]>;
  /** The node that runs an emitter. */
  readonly ownerOf: (emitter: { readonly id: string }) => Promise<TestNode>;
}

/** A short lease, so that a test need not wait long. */
const args = ['--lease', '2'];

/** @param more arguments of each, by its place among them */
export async function startCluster(
  postgres: TestPostgres,
  count: number,
  more: (index: number) => readonly string[] = () => [],
): Promise<Cluster> {
  const url = await postgres.newDatabase();
  const nodes: TestNode[] = [];
  for (let i = 0; i < count; i++) nodes.push(await startNode({ url, args: [...args, ...more(i)] }));
  const shares = async (): Promise<number[]> => {
    const rows = await postgres.query(
      `SELECT (SELECT count(*)::int FROM emitters WHERE node = n.id) AS owned
       FROM nodes n WHERE fenced_at IS NULL`,
      url,
    );
    return rows.map(({ owned }) => Number(owned)).toSorted((a, b) => a - b);
  };
  return {
    url,
    nodes,
    isSpread: (wanted) =>
      until(`shares ${wanted.join(', ')}`, async (seen) => {
        const found = seen(await shares());
        return JSON.stringify(found) === JSON.stringify(wanted);
      }),
    left: () => postgres.query('SELECT * FROM left_for_owner', url),
    ownerOf: ({ id }) =>
      until(`an owner of ${id}`, async () => {
        // They joined in the order in which they were started.
        const ids = await postgres.query('SELECT id FROM nodes ORDER BY id', url);
        const [owner] = await postgres.query(`SELECT node FROM emitters WHERE id = '${id}'`, url);
        return nodes[ids.findIndex((row) => row['id'] === owner?.['node'])];
      }),
  };
}
