import { expect, test, vi } from 'vitest';
import { UnsaidProblems } from '../../../../src/extension/problems/unsaid-problems.ts';
import { Diagnostic, DiagnosticSeverity, Range, Uri } from '../fake-vscode/values.ts';
import { languages, world } from '../fake-vscode/vscode.ts';

vi.mock('vscode', () => import('../fake-vscode/vscode.ts'));

const uri = Uri.file('/w/a.ts');

function diagnostic(line: number, source: string, severity = DiagnosticSeverity.Error): Diagnostic {
  const one = new Diagnostic(new Range(line, 2, line, 9), `${source} ${line}`, severity);
  one.source = source;
  return one;
}

const ofWeir = [diagnostic(1, 'Weir'), diagnostic(4, 'Weir')];
const shown = () =>
  (world.problems.get('weir-test')?.get('/w/a.ts') ?? []).map((one) => one.message);

test('what TypeScript marks on the same line is not listed again, whoever comes first', () => {
  const typeScript = languages.createDiagnosticCollection('typescript');
  const problems = new UnsaidProblems('weir-test');
  problems.set(uri as never, ofWeir as never);
  expect(shown()).toEqual(['Weir 1', 'Weir 4']);
  typeScript.set(uri, [diagnostic(4, 'ts'), diagnostic(9, 'ts')]);
  expect(shown()).toEqual(['Weir 1']);
  problems.set(uri as never, [...ofWeir, diagnostic(9, 'Weir')] as never);
  expect(shown()).toEqual(['Weir 1']);
  typeScript.delete(uri);
  expect(shown()).toEqual(['Weir 1', 'Weir 4', 'Weir 9']);
  problems.set(uri as never, []);
  expect(shown()).toEqual([]);
  typeScript.set(uri, []);
  expect(shown()).toEqual([]);
  problems.dispose();
});

test('its hints, and what others say, hide nothing', () => {
  const others = languages.createDiagnosticCollection('others');
  const problems = new UnsaidProblems('weir-test');
  others.set(uri, [
    diagnostic(1, 'ts', DiagnosticSeverity.Warning),
    diagnostic(1, 'a linter'),
    diagnostic(4, 'Weir'),
  ]);
  problems.set(uri as never, ofWeir as never);
  expect(shown()).toEqual(['Weir 1', 'Weir 4']);
  problems.dispose();
});
