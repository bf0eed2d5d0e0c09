#!/usr/bin/env node
import { run } from '../dist/index.js';

run(process.argv.slice(2));
