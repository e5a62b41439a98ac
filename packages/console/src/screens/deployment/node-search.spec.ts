import { searchOfNodePages } from './node-search.js';

describe('The address of a list with a filter for a node', () => {
  it('names the page and the node', () => {
    expect(searchOfNodePages({ page: 2, node: '3' })).toEqual({ page: 2, node: 3 });
    expect(searchOfNodePages({ page: 1, node: 0 })).toEqual({});
    expect(searchOfNodePages({ node: 'x' })).toEqual({});
  });
});
