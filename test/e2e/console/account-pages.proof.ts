import { describeWithBrowser, given, MailFolder, openBrowser, TestCloud, type FiledMail } from '@libs/testing';
import type { Browser, Page } from 'playwright-core';
import { expectClean, openTab, PASSWORD, signIn, userWithPassword } from './browser/person-in-browser.js';

const NEW_PASSWORD = 'another long passphrase';
const PHONE = { isDark: true, width: 390 };

/** The pages of people without a session, from the links in real mails. */
describeWithBrowser('The pages behind mailed links', () => {
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

  /** The link in a mail to a page, without the origin: this cloud has its own address. */
  function linkOf({ text }: FiledMail, page: string): string {
    const { pathname, hash } = new URL(new RegExp(`https?://\\S+/console/${page}#\\S+`).exec(text)?.[0] ?? 'none:');
    return pathname + hash;
  }
  const unique = (name: string): string => `${name}-${Date.now()}@${name}-${Date.now()}.example`;
  const alert = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).waitFor();

  async function signUp(email: string, look = {}) {
    const tab = await openTab(browser, cloud, '/console/sign-in', look);
    const { page } = tab;
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Show what I type').check();
    expect(await page.getByLabel('Password').getAttribute('type')).toBe('text');
    await expectClean(tab);
    const mail = await mails.after(email, () => page.getByLabel('Password').press('Enter'));
    await page.getByRole('heading', { name: 'Open the link in the mail' }).waitFor();
    return { tab, page, link: linkOf(mail, 'verify') };
  }

  it.each([
    ['light and wide', {}],
    ['dark, on a phone', PHONE],
  ])('lead from the sign-up by a mail to the own organization: %s', async (_, look) => {
    const email = unique('ada');
    const { tab, page, link } = await signUp(email, look);
    expect(await page.getByRole('status').textContent()).toContain(mails.directory);
    await expectClean(tab);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));

    await page.goto(cloud.mainApi.url + link);
    await page.getByLabel('Your password').fill('not what was typed');
    await page.getByRole('button', { name: 'Verify the address' }).click();
    await alert(page, 'E-mail or password is wrong');
    await expectClean(tab);
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByLabel('Your password').press('Enter');
    await page.getByRole('status').filter({ hasText: 'Your own organization now has the domain' }).waitFor();
    await expectClean(tab);
    await page.getByRole('link', { name: 'Go on' }).click();
    await page.getByRole('heading', { name: "Ada's organization" }).waitFor();

    const token = link.split('#')[1] ?? '';
    expect(asked.filter((url) => url.includes('/console/verify'))).not.toEqual([]);
    expect(asked.filter((url) => url.includes(token))).toEqual([]);
    expect(page.url()).not.toContain(token);
    expect(
      await cloud.rows('select email_verified_at is not null as proved from users where email = $1', [email]),
    ).toEqual([{ proved: true }]);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('let a person who forgot the password choose a new one, once for each link', async () => {
    const { email } = await userWithPassword(cloud, { email: unique('lin') });
    const tab = await openTab(browser, cloud, '/console/sign-in');
    const { page } = tab;
    await page.getByRole('link', { name: 'Forgot the password?' }).click();
    await page.getByRole('heading', { name: 'Forgot the password?' }).waitFor();
    await page.getByLabel('E-mail address').fill(email);
    const mail = await mails.after(email, () => page.getByRole('button', { name: 'Send a link' }).click());
    await page.getByRole('status').filter({ hasText: 'If the address has an account' }).waitFor();
    await expectClean(tab);
    const link = linkOf(mail, 'reset');

    await page.goto(cloud.mainApi.url + link);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await expectClean(tab);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('heading', { name: 'The password has changed' }).waitFor();
    await expectClean(tab);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, email);
    await alert(page, 'E-mail or password is wrong');
    await signIn(page, email, NEW_PASSWORD);
    await page.getByRole('heading', { name: 'You are a member of no organization' }).waitFor();
    await expectClean(tab);

    // The page without the link, and then the link in the same tab.
    await page.goto(`${cloud.mainApi.url}/console/reset`);
    await page.getByText('The address has no token.').waitFor();
    await page.goto(cloud.mainApi.url + link);
    await page.getByLabel('New password').fill('a third long passphrase');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await alert(page, /link|token/i);
    expect(await page.getByLabel('New password').inputValue()).toBe('a third long passphrase');
    expect(page.url()).toBe(`${cloud.mainApi.url}/console/reset`);
    await tab.close();
  });

  it('send the mail of a sign-up again, and say why not twice within a minute', async () => {
    const { email } = await userWithPassword(cloud, { email: unique('again'), verified: false });
    const tab = await openTab(browser, cloud, '/console/');
    const { page } = tab;
    await signIn(page, email);
    const again = page.getByRole('button', { name: 'Send the mail again' });

    const mail = await mails.after(email, () => again.click());

    await page.getByRole('status').filter({ hasText: 'another mail' }).waitFor();
    await expectClean(tab);
    await page.goto(`${cloud.mainApi.url}/console/account`);
    await page.getByRole('cell', { name: 'this session' }).waitFor();
    await expectClean(tab);
    await again.click();
    await alert(page, 'less than a minute ago');
    await page.goto(cloud.mainApi.url + linkOf(mail, 'verify'));
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Verify the address' }).click();
    await page.getByRole('heading', { name: 'The address is verified' }).waitFor();
    await tab.close();
  });

  it('start and stop notifications only after a press of the button', async () => {
    const email = unique('reader');
    const channel = { channel: 'email', name: 'To a reader', destination: email };
    let url = '';
    const asked = await mails.after(email, async () => {
      const { body } = await cloud.main().post(`${cloud.tenant}/channels`, channel);
      url = `${cloud.tenant}/channels/${body.id}`;
    });
    const isConfirmed = async (): Promise<boolean> => (await cloud.main().get(url)).body.confirmed;
    const tab = await openTab(browser, cloud, linkOf(asked, 'confirm-address'), PHONE);
    const { page } = tab;
    await page.getByRole('heading', { name: 'Get notifications at this address?' }).waitFor();
    await expectClean(tab);
    expect(await isConfirmed()).toBe(false);

    await page.getByRole('button', { name: 'Send notifications to my address' }).press('Enter');
    await page.getByRole('status').filter({ hasText: 'From now on' }).waitFor();
    expect(await isConfirmed()).toBe(true);

    const sent = await mails.after(email, () => cloud.main().post(`${url}/test`));
    await page.goto(cloud.mainApi.url + linkOf(sent, 'unsubscribe'));
    await page.getByRole('heading', { name: 'Stop these notifications?' }).waitFor();
    await expectClean(tab);
    expect(await isConfirmed()).toBe(true);
    await page.getByRole('button', { name: 'Stop the notifications' }).press('Enter');
    await page.getByRole('status').filter({ hasText: 'no more notifications' }).waitFor();
    expect(await isConfirmed()).toBe(false);
    await tab.close();
  });

  it('open from links of older mails, with the token in no request to the console', async () => {
    const tab = await openTab(browser, cloud, '/pages/reset?token=an-old_token');
    const { page } = tab;
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'PUT'),
      page.getByRole('button', { name: 'Set the password' }).click(),
    ]);

    expect(request.postDataJSON()).toEqual({ token: 'an-old_token', password: NEW_PASSWORD });
    await alert(page, /link|token/i);
    expect(page.url()).toBe(`${cloud.mainApi.url}/console/reset`);
    await tab.close();
  });

  it('say why a printed link does not work, and offer the password', async () => {
    const tab = await openTab(browser, cloud, '/console/welcome#a-token-that-is-none');
    const { page } = tab;
    await page.getByRole('button', { name: 'Go to my cloud' }).click();
    await alert(page, /link/i);

    expect(page.url()).toBe(`${cloud.mainApi.url}/console/welcome`);
    expect(await tab.accessibilityFaults()).toEqual([]);
    await page.getByRole('link', { name: 'sign in with the password' }).click();
    await page.getByRole('heading', { name: 'Sign in to Landlord' }).waitFor();
    await tab.close();
  });

  it('show text of an address as text, and go on to no other site', async () => {
    const odd = `"><script>document.title='taken'</script>`;
    const tab = await openTab(browser, cloud, `/pages/sign_up?email=${encodeURIComponent(odd)}`);
    const { page } = tab;
    await page.getByLabel('E-mail address').waitFor();
    expect([await page.title(), await page.getByLabel('E-mail address').inputValue()]).toEqual([
      'Sign up · Landlord',
      odd,
    ]);
    const { id, email } = await userWithPassword(cloud, { email: unique('kim') });
    await given.membership(cloud, id, { roles: ['viewer'] });

    await page.goto(`${cloud.mainApi.url}/console/sign-in?next=${encodeURIComponent('//elsewhere.example/')}`);
    await signIn(page, email);
    await page.waitForURL(`${cloud.mainApi.url}/console/t/${cloud.installation.tenant_id}`);

    await page.getByRole('link', { name: 'Deployments', exact: true }).waitFor();
    await expectClean(tab);
    await tab.close();
  });

  it.each(['welcome', 'verify', 'reset', 'confirm-address', 'unsubscribe'])(
    '%s says what is missing when the address has no token',
    async (name) => {
      const tab = await openTab(browser, cloud, `/console/${name}`);
      const missing = name === 'verify' ? 'Sign in to get another mail' : 'The address has no token.';
      await tab.page.getByText(missing).waitFor();
      await expectClean(tab);
      await tab.close();
    },
  );
});
