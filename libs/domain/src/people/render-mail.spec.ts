import { renderMail } from './render-mail.js';

const URL = 'http://localhost:3000/console/verify?token=x&next=y';

describe('A mail', () => {
  it('has the same content as text and as HTML, in the same order', () => {
    const { text, html } = renderMail({
      paragraphs: ['Hello Ann,', 'prove it:'],
      link: { words: 'Prove it', url: URL },
      codes: ['CODE'],
      closing: ['Until noon.'],
    });

    expect(text).toBe(`Hello Ann,\n\nprove it:\n\nProve it:\n\n${URL}\n\nCODE\n\nUntil noon.\n`);
    expect(html.replaceAll(/<head>.*?<\/head>/g, '').match(/>[^<>\n]+</g)).toEqual([
      '>Hello Ann,<',
      '>prove it:<',
      '>Prove it<',
      '>CODE<',
      '>Until noon.<',
    ]);
    expect(html).toContain('href="http://localhost:3000/console/verify?token=x&amp;next=y"');
  });

  it("has no link except its own, also with a link in a user's name", () => {
    const name = "[Click http://evil.example/win now's (WWW.evil.example) x://y";

    const { text, html } = renderMail({
      paragraphs: [`${name} asks.`],
      closing: [name],
      link: { words: name, url: URL },
    });

    for (const body of [text, html]) expect(body?.match(/[\w.]+:\/\/[^\s"]+|www\.\S+/gi)).toHaveLength(1);
    expect(text).toContain("[Click [link removed] now's [link removed] [link removed] asks.");
    expect(text).toContain(URL);
  });

  it("has no additional line, tag or attribute from a user's name", () => {
    const name = 'Eve\nABCDEFGH\r\u2028"><script>alert(1)</script> ' + 'x'.repeat(100) + ' ABCDEFGH ' + 'y'.repeat(100);

    const { text, html } = renderMail({ paragraphs: [`${name} asks.`], link: { words: name, url: URL } });

    expect(text.split(/[\n\r\u2028]/).filter((line) => /^\W*ABCDEFGH\W*$/.test(line))).toEqual([]);
    expect(html?.match(/<\/?[a-z]+/g)?.filter((tag) => tag.includes('script'))).toEqual([]);
    expect(html).toContain('&quot;&gt;&lt;script&gt;');
  });
});
