import type { Command } from 'commander';

/** What begins like a SQL comment and cannot be an option: white space behind the dashes, or further lines behind a first one. */
const COMMENT = /^--(?:\s|[\w-]*(?:\n|[^\w=-].*\n))/su;

/** Lets a statement begin with a comment (`-- what it asks`), which would be taken for an option; says where it stands when `--from` took it. */
export function withSqlArgument(command: Command): Command {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (given) =>
    // A space in front of a comment changes neither the statement nor a place in it.
    parse(given.map((argument) => (COMMENT.test(argument) ? ` ${argument}` : argument)));
  const fail = command.error.bind(command);
  command.error = (message, options) => {
    const taken = options?.code === 'commander.missingArgument' && command.opts().from !== undefined;
    return fail(
      taken ? `${message}; --from takes all that follows for files: write the statement first` : message,
      options,
    );
  };
  return command;
}
