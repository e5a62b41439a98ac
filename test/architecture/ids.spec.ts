import ts from 'typescript';
import { nodesOf, parse, sourcesUnder } from './sources/sources.js';

/** The API description has one type for all ids: number. */
const OF_THE_API = /\.(dto|view|query)\.ts$/;
/** Names that end like an id, and the reason why none of the types fits. The list may only shrink. */
const WITHOUT_TYPE: Record<string, string> = {
  resourceId: 'a protection code protects resources of every kind',
  resource_id: 'a protection code protects resources of every kind',
  cursor_id: 'a cursor is a place in a list of every kind',
  process_id: 'iggy-server reports the pid of its process',
  messageId: 'MQTT numbers the packets of a session',
};

type Declaration = ts.ParameterDeclaration | ts.PropertyDeclaration | ts.PropertySignature | ts.GetAccessorDeclaration;

const isDeclaration = (node: ts.Node): node is Declaration =>
  ts.isParameter(node) || ts.isPropertyDeclaration(node) || ts.isPropertySignature(node) || ts.isGetAccessor(node);
/** `number`, also with null or undefined, or as an array. */
const isNumber = ({ type }: Declaration): boolean =>
  /^\(?(readonly )?\(?number( \| (null|undefined))*\)?(\[\])?( \| (null|undefined))*$/.test(type?.getText() ?? '');
const isNamedLikeAnId = ({ name }: Declaration): boolean => /(Id|_id)s?$/.test(name.getText());

/** Declarations such as `tenantId: number` in a file, as `path: name`. */
const plainIdsIn = (file: ts.SourceFile): string[] =>
  nodesOf(file, isDeclaration)
    .filter((node) => isNamedLikeAnId(node) && isNumber(node))
    .map(({ name }) => `${file.fileName}: ${name.getText()}`);

describe('an id', () => {
  const found = sourcesUnder('apps', 'libs')
    .filter((path) => !OF_THE_API.test(path))
    .flatMap((path) => plainIdsIn(parse(path)));
  const nameOf = (place: string): string => place.split(': ')[1] ?? '';

  it('has the type of its kind, such as TenantId', () => {
    expect(found.filter((place) => !(nameOf(place) in WITHOUT_TYPE))).toEqual([]);
  });

  it('is excepted only while a source declares it', () => {
    const names = new Set(found.map(nameOf));

    expect(Object.keys(WITHOUT_TYPE).filter((name) => !names.has(name))).toEqual([]);
  });
});
