import * as vscode from 'vscode';
import type { StackFrame } from './stack-frames.ts';

/** Opens the code at a frame of a stack. Rejects when the file is gone. */
export function openFrame({ file, line, column }: StackFrame): Thenable<vscode.TextEditor> {
  const at = new vscode.Position(line - 1, column - 1);
  return vscode.window.showTextDocument(vscode.Uri.file(file), {
    selection: new vscode.Range(at, at),
  });
}
