/**
 * The content of resources/default_app.asar in a bare Electron: runs the app whose folder is the first
 * argument.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const folder = path.resolve(process.argv[1]);
const { name, productName, version, main } = JSON.parse(
  readFileSync(path.join(folder, 'package.json'), 'utf8'),
);
app.setName(productName ?? name);
app.setVersion(version);
app.setAppPath(folder);
await import(pathToFileURL(path.join(folder, main)).href);
