import type { OpenAPIObject } from '@nestjs/swagger';
import { nameEnums } from './name-enums.js';

const NAMES = { Colour: { of: 'PaintView.colour', text: 'A colour.' } };
const COLOURS = ['red', 'blue'];
const REFERENCE = { $ref: '#/components/schemas/Colour' };

const documentOf = (properties: object, parameter: object = {}): OpenAPIObject =>
  ({
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: { '/': { get: { operationId: 'a', responses: {}, parameters: [{ name: 'colour', schema: parameter }] } } },
    components: {
      schemas: {
        PaintView: { type: 'object', properties: { colour: { type: 'string', enum: [...COLOURS] } } },
        WallView: { type: 'object', properties },
      },
    },
  }) as unknown as OpenAPIObject;

const wallOf = (properties: object): unknown =>
  (nameEnums(documentOf(properties), NAMES).components?.schemas?.['WallView'] as { properties: object }).properties;

describe('A named enum', () => {
  it('is in the components, and its members refer to it', () => {
    const { components, paths } = nameEnums(documentOf({}, { type: 'string', enum: ['blue', 'red'] }), NAMES);

    expect(components?.schemas).toMatchObject({
      Colour: {
        type: 'string',
        description: 'A colour.',
        enum: COLOURS,
        'x-enum-varnames': ['COLOUR_RED', 'COLOUR_BLUE'],
      },
      PaintView: { properties: { colour: REFERENCE } },
    });
    expect(paths['/']?.get?.parameters).toEqual([{ name: 'colour', schema: REFERENCE }]);
  });

  it('leaves what is said of a member at the member', () => {
    expect(
      wallOf({ front: { type: 'string', enum: [...COLOURS], description: 'Of the front.', default: 'red' } }),
    ).toEqual({
      front: { allOf: [REFERENCE], description: 'Of the front.', default: 'red' },
    });
  });

  it('is an alternative to null, and the kind of the entries of a list', () => {
    const back = { type: ['string', 'null'], enum: [...COLOURS, null], description: 'Null: unpainted.' };
    const sides = { type: 'array', items: { type: 'string', enum: [...COLOURS] }, uniqueItems: true };

    expect(wallOf({ back, sides })).toEqual({
      back: { anyOf: [REFERENCE, { type: 'null' }], description: 'Null: unpainted.' },
      sides: { type: 'array', items: REFERENCE, uniqueItems: true },
    });
  });

  it('leaves other values alone', () => {
    const front = { type: 'string', enum: ['red'] };

    expect(wallOf({ front })).toEqual({ front: { type: 'string', enum: ['red'] } });
  });

  it('must have a member with its values', () => {
    expect(() => nameEnums(documentOf({}), { Size: { of: 'PaintView.size', text: 'A size.' } })).toThrow(
      new TypeError('PaintView.size has no values to name'),
    );
  });
});
