import { withSynonyms } from './synonyms.js';

const TOOL = { type: 'object', properties: { deployment: { type: 'string' }, results: { type: 'integer' } } } as const;

describe('The arguments of a tool', () => {
  it('may have the names of the API and of other servers', () => {
    expect(withSynonyms(TOOL, { deployment_id: 7, limit: 5 })).toEqual({ deployment: '7', results: 5 });
    expect(withSynonyms(TOOL, { deployment: 7 })).toEqual({ deployment: '7' });
  });

  it('stay as they are where the tool has the name, or has both', () => {
    const tool = { type: 'object', properties: { ...TOOL.properties, deployment_id: { type: 'integer' } } } as const;

    expect(withSynonyms(tool, { deployment_id: 7 })).toEqual({ deployment_id: 7 });
    expect(withSynonyms(TOOL, { deployment: 'a', deployment_id: 7 })).toEqual({ deployment: 'a', deployment_id: 7 });
    expect(withSynonyms(TOOL, { unknown: 1 })).toEqual({ unknown: 1 });
  });
});
