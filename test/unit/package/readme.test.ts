import { expect, test } from 'vitest';
import { withoutLocalLinks } from '../../../scripts/package/stage.mts';

test.each([
  ['a local link', 'see [the docs](docs/a.md).', 'see the docs.'],
  ['two on a line', '[A](a.md) · [B](b.md)', 'A · B'],
  ['a link to the web', '[VS Code](https://code.visualstudio.com)', undefined],
  ['a link within the page', '[Try it](#try-it)', undefined],
  ['a local image', 'before\n\n![A tree](docs/tree.png)\n\nafter', 'before\n\nafter'],
  ['an image on the web', '![A tree](https://example.com/tree.png)', undefined],
  ['brackets in code', '`sources[0]` and `run(event)`', undefined],
])('%s', (_what, markdown, shown = markdown) => {
  expect(withoutLocalLinks(markdown)).toBe(shown);
});
