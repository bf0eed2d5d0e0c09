#!/usr/bin/env node
import { run } from '../dist/run.js';

run(process.argv.slice(2));
