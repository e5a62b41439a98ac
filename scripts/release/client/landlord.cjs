#!/usr/bin/env node
// Every Node.js can read this file. The command line itself needs Node.js 20.19.
var release = process.versions.node.split('.').map(Number);
if (release[0] < 20 || (release[0] === 20 && release[1] < 19)) {
  console.error('Landlord needs Node.js 20.19 or later, and this is ' + process.version + '.');
  process.exit(1);
}
require('../dist/main.js');
