import { describeWithBrowser, eventually, given, MailFolder, openBrowser, TestCloud } from '@libs/testing';
import type { Browser, Page } from 'playwright-core';

const PASSWORD = 'a long enough passphrase';

/** The pages behind mailed links, used only with the keyboard. */
describeWithBrowser('The pages', () => {
  let cloud: TestCloud;
  let browser: Browser;
  let mails: MailFolder;

  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
    mails = new MailFolder(cloud.directory);
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  async function open(path: string, page?: Page): Promise<Page> {
    const own = page ?? (await (await browser.newContext()).newPage());
    await own.goto(path.startsWith('http') ? path : `${cloud.mainApi.url}${path}`);
    await own.waitForSelector('html[data-ready=true]');
    return own;
  }

  /** Types into the focused field and then into each next field; Enter submits the form. */
  async function fill(page: Page, ...values: string[]): Promise<void> {
    for (const [index, value] of values.entries()) {
      if (index > 0) await page.keyboard.press('Tab');
      await page.keyboard.type(value);
    }
    await page.keyboard.press('Enter');
  }

  const said = (page: Page): Promise<string> =>
    eventually('the page says something', async () => page.locator('.answer:focus').first().textContent());

  /** The link in a mail to a page, without the origin: this cloud has its own address. */
  function linkOf({ text }: { text: string }, page: string): string {
    const { pathname, search } = new URL(new RegExp(`https?://\\S+${page}\\S+`).exec(text)?.[0] ?? 'none:');
    return pathname + search;
  }

  /** A browser page in which the user is signed in. */
  async function signedIn(userId: number): Promise<Page> {
    const { cookie } = await given.session(cloud, userId);
    const context = await browser.newContext();
    const plain = cookie.cookie.split('; ').at(-1) ?? '';
    const [name = '', ...value] = plain.split('=');
    await context.addCookies([{ name, value: value.join('='), url: cloud.mainApi.url }]);
    return context.newPage();
  }

  async function signUp(email: string): Promise<string> {
    const page = await open('/pages/sign_up');
    const mail = await mails.after(email, () => fill(page, 'Ada', email, PASSWORD, PASSWORD));
    expect(await said(page)).toContain('Landlord has sent a mail with a link');
    return linkOf(mail, '/pages/verify');
  }

  it('lead a user from sign-up to a verified address, a new password and a session', async () => {
    const email = 'ada@pages.example';
    const page = await open(await signUp(email));
    await fill(page, 'not what was typed');
    expect(await said(page)).toMatch(/wrong/i);
    await page.locator('input[name=password]').fill('');
    await fill(page, PASSWORD);
    expect(await said(page)).toContain('The address is verified');

    const forgot = await open('/pages/forgot');
    const mail = await mails.after(email, () => fill(forgot, email));
    const reset = await open(linkOf(mail, '/pages/reset'));
    await fill(reset, 'another long passphrase', 'another long passphrase');
    expect(await said(reset)).toContain('The password has changed');

    const signIn = await open('/pages/sign_in', reset);
    await fill(signIn, email, 'another long passphrase');
    await signIn.waitForURL('**/pages/home');
    await signIn.waitForSelector(`strong:text-is("${email}")`);
    expect(
      await cloud.rows('select email_verified_at is not null as proved from users where email = $1', [email]),
    ).toEqual([{ proved: true }]);
  });

  it('show errors next to the form', async () => {
    const page = await open('/pages/sign_up');
    await fill(page, 'Eve', 'eve@pages.example', 'a long enough passphrase', 'another one altogether');
    expect(await said(page)).toBe('The two passwords differ.');

    const signIn = await open('/pages/sign_in');
    await fill(signIn, 'nobody@pages.example', 'whatever it may be');
    expect(await said(signIn)).toMatch(/wrong/i);

    const verify = await open('/pages/verify?token=none');
    await fill(verify, PASSWORD);
    expect(await said(verify)).not.toContain('verified.');
  });

  it('show an invitation to the user with the invited address', async () => {
    const email = 'grace@pages.example';
    const verify = await open(await signUp(email));
    await fill(verify, PASSWORD);
    await said(verify);
    const invite = () => cloud.main().post(`${cloud.tenant}/invitations`, { email });
    const mail = await mails.after(email, invite);

    const page = await open(linkOf(mail, '/pages/invitation'));
    await fill(page, email, PASSWORD);
    await page.waitForSelector(`strong:text-is("${email}")`);
    await page.getByRole('button', { name: 'Accept the invitation' }).focus();
    await page.keyboard.press('Enter');

    expect(await said(page)).toBe('You are now a member.');
    const { body } = await cloud.main().get(`${cloud.tenant}/members?results=100`);
    expect(body.items.map((member: { email: string }) => member.email)).toContain(email);
  });

  it('show a join request to the owner', async () => {
    const { id } = await given.user(cloud, { email: 'mae@pages.example', name: 'Mae' });
    const request = await given.joinRequest(cloud, id);
    const [row] = await cloud.rows<{ owner: number }>('select owner_id::int as owner from tenants order by id limit 1');
    const page = await open(
      `/pages/join_request?tenant_id=${cloud.installation.tenant_id}&id=${request}`,
      await signedIn(row?.owner ?? 0),
    );

    await page.getByRole('button', { name: 'Approve the request' }).focus();
    await page.keyboard.press('Enter');

    expect(await said(page)).toContain('The user is now a member');
    expect(await cloud.rows('select 1 from members where user_id = $1', [id])).toHaveLength(1);
  });

  it('escape text from users, and redirect to no other site', async () => {
    const odd = `"><script>document.title='taken'</script>`;
    const page = await open(`/pages/sign_up?email=${encodeURIComponent(odd)}`);
    expect(await page.title()).toBe('Create an account · Landlord');
    expect(await page.inputValue('#email')).toBe(odd);

    const signIn = await open(`/pages/sign_in?next=${encodeURIComponent('https://elsewhere.example/')}`);
    expect(await signIn.getAttribute('form', 'data-next')).toBe('/pages/home');
  });

  it('show the signed-in user, and sign out', async () => {
    const user = await given.user(cloud, { email: 'lin@pages.example' });
    const page = await open('/pages/home', await signedIn(user.id));

    await page.getByRole('button', { name: 'Sign out' }).focus();
    await page.keyboard.press('Enter');

    await page.waitForURL('**/pages/sign_in');
    expect(await cloud.rows('select 1 from sessions where user_id = $1', [user.id])).toEqual([]);
  });
});
