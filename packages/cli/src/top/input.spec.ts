import { InputReader } from './input.js';

describe('The input of a terminal', () => {
  it('has keys by their letters and sequences', () => {
    const events = new InputReader().read('j\u001b[A\u001bOB\u001b[5~\t\u001b[ZGq\u0003x\u001b[15~é');

    expect(events.map((event) => event.kind === 'key' && event.key)).toEqual([
      'down',
      'up',
      'down',
      'pageUp',
      'next',
      'previous',
      'end',
      'quit',
      'quit',
    ]);
  });

  it('has clicks and the wheel, and ignores releases and other buttons', () => {
    const report = (button: number, end: string): string => `\u001b[<${button};300;12${end}`;
    const sent = [report(0, 'M'), report(0, 'm'), report(64, 'M'), report(65, 'M'), report(2, 'M')].join('');

    const place = { column: 299, row: 11 };
    expect(new InputReader().read(sent)).toEqual([
      { kind: 'click', ...place },
      { kind: 'wheelUp', ...place },
      { kind: 'wheelDown', ...place },
    ]);
  });

  it('may come letter by letter', () => {
    const reader = new InputReader();
    const sent = '\u001b[A\u001b[<0;3;4M\u001bOBq';

    expect([...sent].flatMap((letter) => reader.read(letter))).toEqual(new InputReader().read(sent));
  });
});
