import { searchOfLogs } from './search.js';

describe('The address of the log page', () => {
  it('names the filter and the pause', () => {
    expect(searchOfLogs({ level: 'warn', text: 'refused', paused: true })).toEqual({
      ...{ level: 'warn', text: 'refused', paused: true },
    });
  });

  it('names the program and the node', () => {
    expect(searchOfLogs({ runtime: 'agent', node: '7' })).toEqual({ runtime: 'agent', node: 7 });
    expect(searchOfLogs({ runtime: 'shell', node: 'x' })).toEqual({});
  });

  it('takes a number as a text, and leaves out what the page does not know', () => {
    expect(searchOfLogs({ level: 'loud', text: 1883, paused: 'yes', other: 1 })).toEqual({ text: '1883' });
    expect(searchOfLogs({ text: '' })).toEqual({});
  });
});
