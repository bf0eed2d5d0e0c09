import { describeFormat } from '@pchronicle/conformance';
