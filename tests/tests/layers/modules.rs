//! The modules of a crate, and what each names of the others: read from its sources, tests apart.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree};

/// A module by its names from the crate's root.
pub type Module = Vec<String>;

/// What one module says.
#[derive(Default)]
struct Source {
    /// What `use` binds: a name, and the path behind it. `*` for everything of a module.
    bindings: Vec<(String, Module)>,
    /// Every path that is named, the imported ones among them.
    paths: Vec<Module>,
}

/// The modules of a crate.
#[derive(Default)]
pub struct Crate {
    modules: BTreeMap<Module, Source>,
}

impl Crate {
    /// Reads the crate whose root is `root`; `read` gives the text of a file, if there is one.
    pub fn read(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Self {
        let mut all = Self::default();
        let folder = root.parent().unwrap().to_path_buf();
        let text = read(root).unwrap_or_else(|| panic!("{} cannot be read", root.display()));
        all.add(Vec::new(), &syn::parse_file(&text).unwrap().items, &folder, read);
        all
    }

    fn add(&mut self, module: Module, items: &[Item], folder: &Path, read: &dyn Fn(&Path) -> Option<String>) {
        let mut source = Source::default();
        for item in items {
            match item {
                Item::Mod(child) if !is_test(&child.attrs) => self.add_child(&module, child, folder, read),
                Item::Mod(_) => {}
                _ => source.visit_item(item),
            }
        }
        self.modules.insert(module, source);
    }

    fn add_child(&mut self, parent: &Module, child: &ItemMod, folder: &Path, read: &dyn Fn(&Path) -> Option<String>) {
        let name = child.ident.to_string();
        let (module, folder) = ([parent.clone(), vec![name.clone()]].concat(), folder.join(&name));
        if let Some((_, items)) = &child.content {
            self.add(module, items, &folder, read);
            return;
        }
        let candidates: [PathBuf; 2] = [folder.with_extension("rs"), folder.join("mod.rs")];
        let text = candidates.iter().find_map(|file| read(file)).unwrap_or_else(|| panic!("no file of the module {module:?}"));
        let items = syn::parse_file(&text).unwrap_or_else(|error| panic!("{module:?}: {error}")).items;
        self.add(module, &items, &folder, read);
    }

    /// The modules at the root.
    pub fn roots(&self) -> BTreeSet<String> {
        self.modules.keys().filter(|module| module.len() == 1).map(|module| module[0].clone()).collect()
    }

    /// Every module beside the root that names something of another root module: (who, the root module, the path as it is named).
    pub fn arrows(&self) -> Vec<(Module, String, String)> {
        let mut arrows = Vec::new();
        for (module, source) in self.modules.iter().filter(|(module, _)| !module.is_empty()) {
            for path in &source.paths {
                let mut passed = BTreeSet::new();
                self.follow(module, path, &mut passed, 0);
                let others = passed.into_iter().filter(|root| *root != module[0]);
                arrows.extend(others.map(|root| (module.clone(), root, path.join("::"))));
            }
        }
        arrows
    }

    /// Notes the root modules that `path`, named in `module`, leads through; what others import is followed to where it is from.
    fn follow(&self, module: &Module, path: &[String], passed: &mut BTreeSet<String>, depth: usize) {
        let mut at: Module = module.clone();
        let mut rest = path;
        match path.first().map(String::as_str) {
            Some("crate") => (at, rest) = (Vec::new(), &path[1..]),
            Some("self") => rest = &path[1..],
            Some("super") => {}
            // Relative to the module, or of another crate.
            _ if !self.knows(&at, &path[0]) => return,
            _ => {}
        }
        while let Some((name, left)) = rest.split_first() {
            if name == "super" {
                at.pop();
                rest = left;
                continue;
            }
            let child = [at.clone(), vec![name.clone()]].concat();
            if self.modules.contains_key(&child) {
                (at, rest) = (child, left);
                passed.insert(at[0].clone());
                continue;
            }
            // A binding may name what has its own name, of another crate.
            if depth < 16 {
                for (bound, target) in self.modules.get(&at).map(|source| source.bindings.as_slice()).unwrap_or_default() {
                    if bound == name || bound == "*" {
                        let tail: &[String] = if bound == "*" { rest } else { left };
                        let target = [target.as_slice(), tail].concat();
                        if (&at, target.as_slice()) != (module, path) {
                            self.follow(&at, &target, passed, depth + 1);
                        }
                    }
                }
            }
            return;
        }
    }

    fn knows(&self, module: &Module, name: &str) -> bool {
        let child = [module.clone(), vec![name.to_owned()]].concat();
        let bindings = self.modules.get(module).map(|source| source.bindings.as_slice()).unwrap_or_default();
        self.modules.contains_key(&child) || bindings.iter().any(|(bound, _)| bound == name)
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let says_test = |tokens: &TokenStream| tokens.clone().into_iter().any(|token| token.to_string() == "test");
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || (attribute.path().is_ident("cfg") && attribute.meta.require_list().is_ok_and(|list| says_test(&list.tokens)))
    })
}

impl Source {
    fn import(&mut self, tree: &UseTree, before: &[String]) {
        let with = |name: String| [before, &[name]].concat();
        let mut bind = |name: String, path: Module| {
            self.paths.push(path.clone());
            self.bindings.push((name, path));
        };
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &with(path.ident.to_string())),
            UseTree::Name(name) if name.ident == "self" => bind(before.last().cloned().unwrap_or_default(), before.to_vec()),
            UseTree::Name(name) => bind(name.ident.to_string(), with(name.ident.to_string())),
            UseTree::Rename(name) if name.ident == "self" => bind(name.rename.to_string(), before.to_vec()),
            UseTree::Rename(name) => bind(name.rename.to_string(), with(name.ident.to_string())),
            UseTree::Glob(_) => bind("*".into(), before.to_vec()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before)),
        }
    }

    /// Paths in what a macro is given, which is no syntax yet.
    fn scan(&mut self, tokens: TokenStream) {
        let mut path: Module = Vec::new();
        let mut joined = false;
        for token in tokens {
            match token {
                TokenTree::Ident(name) if path.is_empty() || joined => {
                    path.push(name.to_string());
                    joined = false;
                    continue;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => {
                    joined = true;
                    continue;
                }
                TokenTree::Ident(name) => {
                    self.end(&mut path);
                    path.push(name.to_string());
                    continue;
                }
                TokenTree::Group(group) => self.scan(group.stream()),
                _ => {}
            }
            self.end(&mut path);
            joined = false;
        }
        self.end(&mut path);
    }

    fn end(&mut self, path: &mut Module) {
        if path.len() > 1 {
            self.paths.push(std::mem::take(path));
        }
        path.clear();
    }
}

impl<'a> Visit<'a> for Source {
    fn visit_item(&mut self, item: &'a Item) {
        let attributes: &[Attribute] = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Const(item) => &item.attrs,
            Item::Static(item) => &item.attrs,
            _ => &[],
        };
        if !is_test(attributes) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        self.import(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.segments.len() > 1 {
            self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, of: &'a syn::Macro) {
        self.scan(of.tokens.clone());
        syn::visit::visit_macro(self, of);
    }

    fn visit_attribute(&mut self, _: &'a Attribute) {}
}
