/** The page in the place of a console that is not built. */
export const UNBUILT_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>The console is not built · Landlord</title>
  </head>
  <body>
    <main>
      <h1>The console is not built</h1>
      <p>Run <code>npm run build</code> in the folder of Landlord. Then start Landlord again.</p>
      <p>The <a href="/docs">API</a> and the command line work without the console.</p>
    </main>
  </body>
</html>
`;
