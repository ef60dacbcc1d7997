/** Stands in for GitLab's REST API v4: projects and their milestones, newest first. */
import { type Answer, type Asked, type Fake, startFake } from './fake.ts';

export interface Project {
  readonly id: number;
  readonly path_with_namespace: string;
}

export interface Milestone {
  /** Unique within the server; `iid` is the number within the project. */
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly title: string;
  readonly state: 'active' | 'closed';
  readonly created_at: string;
  readonly updated_at: string;
}

export interface FakeGitLab extends Fake {
  /** @param id what a new one gets by itself; an imported milestone brings its own, older one. */
  addMilestone(title: string, id?: number): Milestone;
  /** Lets every request from now on wait for its answer until the returned function is called. */
  hold(): () => void;
}

export interface GitLabOptions {
  /** The only OAuth access token that is let in. */
  readonly token: string;
  readonly project: Project;
}

export async function startGitLab(options: GitLabOptions): Promise<FakeGitLab> {
  const { token, project } = options;
  const milestones: Milestone[] = [];
  let held: Promise<void> | undefined;
  const fake = await startFake(async (asked) => {
    await held;
    if (asked.headers.authorization !== `Bearer ${token}`) {
      return { status: 401, body: { message: '401 Unauthorized' } };
    }
    if (asked.path === '/api/v4/projects') return page(asked, fake.url, [project]);
    if (asked.path === `/api/v4/projects/${project.id}/milestones`) {
      const after = Date.parse(asked.query.get('updated_after') ?? '1970-01-01T00:00:00Z');
      const found = milestones.filter(({ updated_at }) => Date.parse(updated_at) >= after);
      return page(asked, fake.url, found.toReversed());
    }
    return { status: 404, body: { message: '404 Not Found' } };
  });

  return {
    ...fake,
    addMilestone(title, id) {
      const last = milestones.at(-1);
      // No two are of the same millisecond, as no two rows of one table are.
      const at = Math.max(Date.now(), last === undefined ? 0 : Date.parse(last.created_at) + 1);
      const milestone: Milestone = {
        id: id ?? Math.max(1000, ...milestones.map((one) => one.id)) + 1,
        iid: milestones.length + 1,
        project_id: project.id,
        title,
        state: 'active',
        created_at: new Date(at).toISOString(),
        updated_at: new Date(at).toISOString(),
      };
      milestones.push(milestone);
      return milestone;
    },
    hold() {
      let release = (): void => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => {
        held = undefined;
        release();
      };
    },
  };
}

/** Offset pagination: 20 a page unless asked, 100 at most, cursors in headers. */
function page(asked: Asked, origin: string, rows: readonly unknown[]): Answer {
  const size = Math.min(positive(asked.query.get('per_page'), 20), 100);
  const number = positive(asked.query.get('page'), 1);
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const link = (to: number, rel: string) => {
    const query = new URLSearchParams(asked.query);
    query.set('page', String(to));
    query.set('per_page', String(size));
    return `<${origin}${asked.path}?${query.toString()}>; rel="${rel}"`;
  };
  const links = [link(1, 'first'), link(pages, 'last')];
  if (number > 1) links.unshift(link(number - 1, 'prev'));
  if (number < pages) links.unshift(link(number + 1, 'next'));
  return {
    status: 200,
    headers: {
      link: links.join(', '),
      'x-page': String(number),
      'x-per-page': String(size),
      'x-prev-page': number > 1 ? String(number - 1) : '',
      'x-next-page': number < pages ? String(number + 1) : '',
      'x-total': String(rows.length),
      'x-total-pages': String(pages),
    },
    body: rows.slice((number - 1) * size, number * size),
  };
}

function positive(text: string | null, otherwise: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : otherwise;
}
