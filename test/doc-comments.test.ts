import ts from 'typescript-5.5';
import { expect, test } from 'vitest';
import { libraries, read, sourcesOf } from './support/workspace.ts';

/** Exported declarations of a file that have no doc comment, as `file:line name`. */
function undocumented(path: string): readonly string[] {
  const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.ES2022, true);
  const missing: string[] = [];
  const documented = new Set<string>();
  let group: number | undefined;
  for (const statement of file.statements) {
    if (!ts.canHaveModifiers(statement)) continue;
    if (!ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword))
      continue;
    const names = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map((declaration) => declaration.name.getText(file))
      : [(statement as ts.DeclarationStatement).name?.getText(file) ?? '?'];
    const comments = ts
      .getJSDocCommentsAndTags(statement)
      .filter((comment) => ts.isJSDoc(comment) && comment.comment !== undefined);
    const line = file.getLineAndCharacterOfPosition(statement.getStart(file)).line + 1;
    for (const name of names) {
      // A type and a value may share a name, and overloads a comment; constants on the lines right below a comment share it.
      if (comments.length > 0 || (group === line && ts.isVariableStatement(statement))) documented.add(name);
      else if (!documented.has(name)) missing.push(`${path}:${line} ${name}`);
    }
    group =
      comments.length > 0 || group === line
        ? file.getLineAndCharacterOfPosition(statement.getEnd()).line + 2
        : undefined;
  }
  return missing;
}

test.each(libraries)('every export of $name has a doc comment', (one) => {
  const sources = sourcesOf(one).filter((path) => !path.includes('.generated.'));
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.flatMap(undocumented)).toEqual([]);
});

test('the check sees an export without a comment', () => {
  expect(undocumented('test/support/undocumented.ts')).toEqual([
    'test/support/undocumented.ts:5 bare',
    'test/support/undocumented.ts:6 alone',
  ]);
});
