// Installs and builds what is missing, in any clone.
import { prepare } from './workspace.mjs';

prepare();
