import ts from 'typescript';
import { shapeOf, type PropertyShape } from './row-shape.js';
import type { SourceProgram } from './source-program.js';
import { nodesOf } from './sources.js';

/** One place that runs a statement and gives its rows a type. */
export interface StatementQuery {
  /** The file and the expression of the statement, such as `libs/…/roles.repository.ts: LIST`. */
  place: string;
  /** The name of the statement. `undefined` if the source does not contain the name here. */
  statement: string | undefined;
  /** The properties of the type of the rows. `undefined` if the type allows every property. */
  row: PropertyShape[] | undefined;
}

/** A call that runs a statement: a call of `Database.query`, or of a function that passes its parameter on. */
interface Run {
  call: ts.CallExpression;
  /** The argument with the statement, and the names of the members that lead to the statement. */
  argument: ts.Expression;
  members: string[];
  /** The types whose properties a row has. */
  row: ts.Type[];
}

type Variable = ts.VariableDeclaration & { initializer: ts.Expression };

const isVariable = (node: ts.Node | undefined): node is Variable =>
  node !== undefined && ts.isVariableDeclaration(node) && node.initializer !== undefined;
const nameOfCall = ({ expression }: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();

/** Finds the statement and the row type of every call of `Database.query` in a program. */
export class StatementQueries {
  private readonly checker: ts.TypeChecker;
  private readonly calls = new Map<string, ts.CallExpression[]>();

  constructor(private readonly program: SourceProgram) {
    this.checker = program.checker;
    for (const call of program.files.flatMap((file) => nodesOf(file, ts.isCallExpression)))
      this.calls.set(nameOfCall(call), [...(this.calls.get(nameOfCall(call)) ?? []), call]);
  }

  all(): StatementQuery[] {
    return this.queries().flatMap((run) => this.follow(run));
  }

  /** The direct calls of `Database.query`. A call that ignores its rows has the row type `unknown` and is left out. */
  private queries(): Run[] {
    return (this.calls.get('query') ?? []).flatMap((call) => {
      const signature = this.checker.getResolvedSignature(call);
      const file = signature?.declaration?.getSourceFile();
      const [argument] = call.arguments;
      if (!signature || !argument || !file?.fileName.endsWith('persistence/src/database.ts')) return [];
      const [rows] = this.argumentsOf(signature.getReturnType());
      const [row] = rows ? this.argumentsOf(rows) : [];
      if (!row || row.flags & ts.TypeFlags.Unknown) return [];
      const isGeneric = row.isIntersection() && row.types.some((part) => part.isTypeParameter());
      return [{ call, argument, members: [], row: isGeneric ? row.types : [row] }];
    });
  }

  private argumentsOf(type: ts.Type): readonly ts.Type[] {
    return this.checker.getTypeArguments(type as ts.TypeReference);
  }

  /** The query, or the queries of all callers if a parameter contains the statement. */
  private follow(run: Run): StatementQuery[] {
    const found = this.followed(run.argument, run.members);
    const parameter = found && ts.isParameter(found.node) ? found.node : undefined;
    if (!found || !parameter) return [this.queryOf(run, found?.node, found?.members)];
    const owner = parameter.parent;
    const index = owner.parameters.indexOf(parameter);
    const callers = this.callsOf(owner).flatMap((call): Run[] => {
      const argument = call.arguments[index];
      return argument ? [{ call, argument, members: found.members, row: this.rowFor(run.row, owner, call) }] : [];
    });
    return callers.length > 0 ? callers.flatMap((caller) => this.follow(caller)) : [this.queryOf(run, undefined)];
  }

  private callsOf(owner: ts.SignatureDeclaration): ts.CallExpression[] {
    const calls = this.calls.get(owner.name?.getText() ?? '') ?? [];
    return calls.filter((call) => this.checker.getResolvedSignature(call)?.declaration === owner);
  }

  /** The row types of a helper, with the type arguments of its caller. */
  private rowFor(row: ts.Type[], owner: ts.SignatureDeclaration, call: ts.CallExpression): ts.Type[] {
    const names = (owner.typeParameters ?? []).map(({ name }) => name.text);
    return row.map((part) => {
      const argument = call.typeArguments?.[names.indexOf(part.symbol?.name ?? '')];
      return part.isTypeParameter() && argument ? this.checker.getTypeFromTypeNode(argument) : part;
    });
  }

  /** Follows names and members to the node that declares the statement: a call, or a parameter. */
  private followed(from: ts.Expression, members: string[]): { node: ts.Node; members: string[] } | undefined {
    if (ts.isPropertyAccessExpression(from)) return this.followed(from.expression, [from.name.text, ...members]);
    if (ts.isObjectLiteralExpression(from)) return this.member(from, members);
    if (!ts.isIdentifier(from)) return { node: from, members };
    return this.declared(this.symbolOf(from)?.valueDeclaration, members);
  }

  private declared(node: ts.Node | undefined, members: string[]): { node: ts.Node; members: string[] } | undefined {
    if (isVariable(node)) return this.followed(node.initializer, members);
    if (node && ts.isParameter(node)) return { node, members };
    if (!node || !ts.isBindingElement(node)) return undefined;
    const name = (node.propertyName ?? node.name).getText();
    return this.declared(node.parent.parent, [name, ...members]);
  }

  private member(from: ts.ObjectLiteralExpression, [name, ...rest]: string[]) {
    const property = from.properties.find((candidate) => candidate.name?.getText() === name);
    if (!property || !ts.isPropertyAssignment(property)) return undefined;
    return this.followed(property.initializer, rest);
  }

  private symbolOf(name: ts.Identifier): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(name);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  private queryOf(
    { call, argument, members, row }: Run,
    declaration: ts.Node | undefined,
    rest: readonly string[] = [],
  ): StatementQuery {
    const expression = [argument.getText(), ...members].join(' ');
    return {
      place: `${this.program.pathOf(call.getSourceFile())}: ${expression}`,
      statement: declaration && nameOf(declaration, rest),
      row: this.rowOf(row),
    };
  }

  private rowOf(row: ts.Type[]): PropertyShape[] | undefined {
    const isOpen = row.some((part) => part.isTypeParameter() || this.checker.getIndexInfosOfType(part).length > 0);
    return isOpen ? undefined : row.flatMap((part) => shapeOf(this.checker, part));
  }
}

/** The name of the statement that a call of `statement` declares, or `list` or `count` of a call of `paged`. */
function nameOf(node: ts.Node, [member]: readonly string[]): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const [argument] = node.arguments;
  const name = argument && ts.isStringLiteralLike(argument) ? argument.text : undefined;
  if (nameOfCall(node) === 'paged') return member === 'count' ? name?.replace('list', 'count') : name;
  return nameOfCall(node) === 'statement' ? name : undefined;
}
