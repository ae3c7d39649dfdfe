// Prints a xacro file expanded by xacro-parser: node expand.mjs FILE [NAME:=VALUE ...]
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import { XacroParser } from 'xacro-parser';

globalThis.DOMParser = DOMParser; // a browser has one, node has none

const [file, ...pairs] = process.argv.slice(2);
const parser = new XacroParser();
parser.workingPath = dirname(file);
parser.arguments = Object.fromEntries(pairs.map((pair) => pair.split(':=')));
parser.getFileContents = async (path) => readFileSync(path, 'utf8');

const robot = await parser.parse(readFileSync(file, 'utf8'));
console.log(new XMLSerializer().serializeToString(robot));
