import ts from 'typescript-5.5';

/** Names that a source file uses without declaring or importing them: globals. Scopes are not told apart; a name declared anywhere in the file is its own. */
export function freeNames(text: string): readonly string[] {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.ES2022, true);
  const used = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      const isName =
        (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
        (ts.isPropertyAssignment(parent) && parent.name === node) ||
        (ts.isQualifiedName(parent) && parent.right === node) ||
        ts.isPropertySignature(parent) ||
        ts.isPropertyDeclaration(parent) ||
        ts.isMethodDeclaration(parent) ||
        ts.isMethodSignature(parent) ||
        ts.isGetAccessor(parent) ||
        ts.isLiteralTypeNode(parent) ||
        (ts.isBindingElement(parent) && parent.propertyName === node);
      const isDeclaration =
        (ts.isVariableDeclaration(parent) ||
          ts.isParameter(parent) ||
          ts.isBindingElement(parent) ||
          ts.isFunctionDeclaration(parent) ||
          ts.isFunctionExpression(parent) ||
          ts.isClassDeclaration(parent) ||
          ts.isInterfaceDeclaration(parent) ||
          ts.isTypeAliasDeclaration(parent) ||
          ts.isImportSpecifier(parent) ||
          ts.isTypeParameterDeclaration(parent) ||
          ts.isNamespaceImport(parent) ||
          ts.isImportClause(parent)) &&
        parent.name === node;
      if (isDeclaration) declared.add(node.text);
      else if (!isName) used.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...used].filter((name) => !declared.has(name));
}
