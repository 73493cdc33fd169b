//! `$(…)`: arguments, packages, the environment.

use super::super::suggest;
use super::super::xml::Span;
use super::failure::{Failure, Outcome};
use super::python::Value;
use super::{Expander, package};

const COMMANDS: [&str; 6] = ["arg", "find", "env", "optenv", "cwd", "dirname"];

impl Expander<'_, '_> {
    /// The text that `$(inside)` stands for.
    pub(super) fn substitution(&mut self, inside: &str, scope: usize, span: Span) -> Outcome<Value> {
        let inside = self.evaluate_text(inside, scope, span)?;
        let mut words = inside.split(' ').filter(|word| !word.is_empty());
        let command = words.next().unwrap_or_default();
        let words: Vec<&str> = words.collect();
        let wrong = |message: String| Failure::new("xacro-substitution", message);
        let one = || match words[..] {
            [word] => Ok(word),
            _ => Err(wrong(format!("$({command} …) takes one name, not {}", words.len()))),
        };
        let none = || if words.is_empty() { Ok(()) } else { Err(wrong(format!("$({command}) takes no name"))) };
        Ok(Value::text(match command {
            "arg" => self.argument(one()?)?,
            "find" => self.package(one()?)?,
            "env" => {
                let name = one()?;
                self.files.variable(name).ok_or_else(|| {
                    let failure =
                        Failure::new("xacro-environment", format!("the environment has no variable `{name}`"));
                    failure.hint(format!("set it, or give a default: $(optenv {name} default)"))
                })?
            }
            "optenv" => match words.split_first() {
                Some((name, default)) => self.files.variable(name).unwrap_or_else(|| default.join(" ")),
                None => return Err(wrong("$(optenv …) takes a name and a default".to_owned())),
            },
            "cwd" => {
                none()?;
                let folder = self.files.working_folder();
                folder
                    .ok_or_else(|| wrong("there is no working folder here".to_owned()))?
                    .to_string_lossy()
                    .into_owned()
            }
            "dirname" => {
                none()?;
                let folder = self.absolute(&self.folder());
                folder.ok_or_else(|| wrong("the file has no folder".to_owned()))?.to_string_lossy().into_owned()
            }
            "eval" => {
                let message = "$(eval …) is not supported".to_owned();
                return Err(wrong(message).hint("write an expression: ${… '$(arg name)' …}"));
            }
            _ => {
                let failure = wrong(format!("`$({command} …)` has no meaning"));
                return Err(failure.hint(suggest::hint(command, &COMMANDS)));
            }
        }))
    }

    /// The value of an argument.
    pub(super) fn argument(&mut self, name: &str) -> Outcome<String> {
        self.asked.insert(name.to_owned());
        if let Some(value) = self.arguments.get(name) {
            return Ok(value.clone());
        }
        let known: Vec<&str> = self.arguments.keys().map(String::as_str).collect();
        let failure = Failure::new("xacro-unknown-argument", format!("there is no argument `{name}`"));
        Err(failure.hint(match suggest::nearest(name, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("declare it, <xacro:arg name=\"{name}\" default=\"…\"/>, or give it: --arg {name}=VALUE"),
        }))
    }

    /// The folder of a package.
    fn package(&self, name: &str) -> Outcome<String> {
        let from = self.absolute(&self.folder());
        match package::find(name, from.as_deref(), self.files) {
            Some(folder) => Ok(folder.to_string_lossy().into_owned()),
            None => {
                let failure = Failure::new("xacro-package", format!("the package `{name}` is not found"));
                Err(failure.hint(format!("say where it is: --package {name}=FOLDER")))
            }
        }
    }
}
