/** Variables with these beginnings are unset for Terraform: they change what a subcommand does or prints. */
export const NEUTRALISED_VARIABLES = ['TF_CLI_ARGS', 'TF_LOG', 'TF_INPUT'] as const;
