/** Stands in for GitLab's REST API v4: projects with milestones, commits, issues and webhooks. */
import type { AtEnd } from '../../support/at-end.ts';
import {
  type Answer,
  type Received,
  type Fake,
  json,
  startReceiver,
} from '../../support/receiver.ts';

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

export interface Commit {
  readonly id: string;
  readonly message: string;
}

/** A webhook as it was asked for. */
export interface Hook {
  readonly id: number;
  readonly url: string;
  readonly token: string;
  /** On unless it was switched off. */
  readonly push_events?: boolean;
}

export interface FakeGitLab extends Fake {
  readonly hooks: ReadonlyMap<number, Hook>;
  /** Issues as they were asked for, oldest first. */
  readonly issues: readonly unknown[];
  /** Commits to the main branch, oldest first, told to every webhook for pushes. */
  push(...commits: readonly Commit[]): Promise<readonly Response[]>;
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

export async function startGitLab(options: GitLabOptions, atEnd?: AtEnd): Promise<FakeGitLab> {
  const { token, project } = options;
  const milestones: Milestone[] = [];
  const commits: Commit[] = [];
  const hooks = new Map<number, Hook>();
  const issues: unknown[] = [];
  const below = `/api/v4/projects/${project.id}`;
  let held: Promise<void> | undefined;
  const answer = async (asked: Received): Promise<Answer> => {
    await held;
    if (asked.headers.authorization !== `Bearer ${token}`) {
      return { status: 401, body: { message: '401 Unauthorized' } };
    }
    if (asked.path === '/api/v4/projects') return page(asked, fake.url, [project]);
    if (asked.path === `${below}/milestones`) {
      const after = Date.parse(asked.query.get('updated_after') ?? '1970-01-01T00:00:00Z');
      const found = milestones.filter(({ updated_at }) => Date.parse(updated_at) >= after);
      return page(asked, fake.url, found.toReversed());
    }
    if (asked.path === `${below}/repository/commits`) {
      return page(asked, fake.url, commits.toReversed());
    }
    if (asked.path === `${below}/issues` && asked.method === 'POST') {
      const issue = { ...(json(asked) as object), id: 500 + issues.length, iid: issues.length + 1 };
      issues.push(issue);
      return { status: 201, body: issue };
    }
    if (asked.path === `${below}/hooks` && asked.method === 'POST') {
      const hook = { ...(json(asked) as Omit<Hook, 'id'>), id: 900 + hooks.size };
      hooks.set(hook.id, hook);
      return { status: 201, body: hook };
    }
    const [, hook] = /\/hooks\/(\d+)$/.exec(asked.path) ?? [];
    if (asked.method === 'DELETE' && hooks.delete(Number(hook))) return { status: 204 };
    return { status: 404, body: { message: '404 Not Found' } };
  };
  const fake = await startReceiver({ answer, atEnd });

  return {
    ...fake,
    hooks,
    issues,
    push(...pushed) {
      commits.push(...pushed);
      const body = { ref: 'refs/heads/main', total_commits_count: pushed.length };
      const asking = [...hooks.values()].filter((hook) => hook.push_events !== false);
      return Promise.all(
        asking.map(({ url, token }) =>
          fetch(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-gitlab-token': token },
            body: JSON.stringify(body),
          }),
        ),
      );
    },
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
function page(asked: Received, origin: string, rows: readonly unknown[]): Answer {
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
