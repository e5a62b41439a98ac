/** A text without the logins of its addresses. An address can have a login for a proxy in front of the API. */
export const withoutLogins = (text: string): string => text.replaceAll(/\/\/[^/?#\s]*@/g, '//');

/** An address for a message: without a login, and without a query, which can have a one-time code. */
export const shownUrl = (url: string): string => withoutLogins(url).replace(/\?.*$/, '');
