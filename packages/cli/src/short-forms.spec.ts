import { withVerb } from './short-forms.js';

describe('Words without a verb', () => {
  it.each([
    ['keys', 'keys list'],
    ['audit -o json', 'audit list -o json'],
    ['metrics -d orders', 'metrics get-latest -d orders'],
    ['limits', 'limits get'],
    ['logs', 'logs list'],
    ['logs -d orders -f', 'logs stream -d orders'],
    ['logs --follow --level error', 'logs stream --level error'],
  ])('%s means %s', (typed, meant) => {
    expect(withVerb(typed.split(' '))).toEqual(meant.split(' '));
  });

  it.each(['keys list', 'keys --help', 'keys -h', 'keys creat', 'health', 'login', '--help', 'start', 'constructor'])(
    '%s stays as it is',
    (typed) => {
      expect(withVerb(typed.split(' '))).toEqual(typed.split(' '));
    },
  );
});
