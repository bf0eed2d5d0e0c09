import { join } from 'node:path';
import ts from 'typescript-5.5';
import { filesUnder, packages, read, root } from './workspace.ts';

/** All test files of the repository. */
export const testFiles: readonly string[] = [
  ...packages.flatMap((one) => filesUnder(join(one.folder, 'test'))),
  ...filesUnder(join(root, 'test')),
].filter((path) => path.endsWith('.test.ts'));

/** Title of one `test`, `it` or `describe`, as written; the fixed parts of a template. */
export interface Title {
  readonly file: string;
  readonly text: string;
}

/** The titles in one test file. A test that is skipped for good (`test.skip`, `test.todo`) has none. */
export function titlesOf(file: string, text: string = read(file)): readonly Title[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const titles: Title[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText(source);
      const [first] = node.arguments;
      if (
        first !== undefined &&
        /^(test|it|describe|law)\b/.test(callee) &&
        !/^\w+\.(skip|todo)\b/.test(callee)
      ) {
        if (ts.isStringLiteralLike(first)) titles.push({ file, text: first.text });
        else if (ts.isTemplateExpression(first)) {
          titles.push({
            file,
            text: [first.head.text, ...first.templateSpans.map((span) => span.literal.text)].join('…'),
          });
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}
