//! [`ValuePlan`]: the steps that write and read values of a described type in the compact form.
//!
//! A plan is made once for a component. Fields that lie side by side and whose bytes are their compact form are one step, and nothing
//! is looked up in a description while values are written or read.
#![expect(unsafe_code, reason = "values are read and written at addresses")]

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr;

use serde::{Deserialize, Serialize};

use super::description::{
    ElementsType, EnumType, FieldList, ListType, OptionType, TextType, TypeOf, ValueShape, ValueType,
};
use super::deserialize::NewValue;
use super::room::Room;
use super::serialize::ValueRef;
use crate::entity::Entity;
use crate::persist::compact::Fault;
use crate::persist::compact::read::Reader;
use crate::persist::compact::write::Writer;
use crate::persist::memory::{self, FOR_A_BYTE};

/// The steps for the values of a type, in the order of the compact form.
///
/// # Invariant
/// The steps are those of the type: each is for a part of a value at its offset, and together they are for all parts.
pub(crate) struct ValuePlan {
    steps: Vec<Step>,
}

/// The longest array whose elements have a step each.
const LONGEST: usize = 64;

/// A part of a value.
struct Step {
    /// The offset in the value.
    at: usize,
    /// The type of the part, by which it is dropped. Bytes need no drop.
    of: Option<&'static ValueType>,
    kind: StepKind,
}

enum StepKind {
    /// Bytes that are their compact form. Any bytes are a value.
    Bytes(usize),
    Bool,
    Char,
    Entity,
    Text(&'static TextType),
    Option(&'static OptionType, Box<Item>),
    List(&'static ListType, Box<Item>),
    Enum(&'static EnumType, Vec<VariantPlan>),
    /// A field that is neither written nor read.
    Skipped(unsafe fn(*mut u8)),
    /// Everything else, by the writer and the reader of all formats.
    Other(&'static ValueType),
}

/// The content of an option, an element or a field of a variant.
struct Item {
    of: &'static ValueType,
    plan: ValuePlan,
    /// The size of a value whose bytes are its compact form.
    bytes: Option<usize>,
}

/// The plan of a variant: its fields, and the place of each in memory for all of them.
struct VariantPlan {
    fields: Vec<(Item, usize)>,
    layout: Layout,
}

/// The number of fields of a variant whose addresses take no allocation.
const FEW: usize = 8;

impl VariantPlan {
    /// `None` if a field is skipped.
    fn new(parts: &FieldList, open: &mut Vec<&'static ValueType>) -> Option<Self> {
        let mut plan = Self { fields: Vec::new(), layout: Layout::new::<()>() };
        for field in parts.fields {
            let item = Item::new(field.of, open);
            let extended = plan.layout.extend(item.of.layout);
            let (layout, offset) = extended.expect("an enum has the memory of its fields");
            plan.layout = layout;
            plan.fields.push((item, offset));
        }
        parts.fields.iter().all(|field| !field.skipped).then_some(plan)
    }
}

impl ValuePlan {
    /// The plan of a type.
    pub(crate) fn new(of: &'static ValueType) -> Self {
        Self::within(of, &mut Vec::new())
    }

    fn within(of: &'static ValueType, open: &mut Vec<&'static ValueType>) -> Self {
        let mut plan = Self { steps: Vec::new() };
        plan.add(0, of, open);
        plan
    }

    /// Adds the steps of a part. `open` are the types around it: a type within itself has no plan.
    fn add(&mut self, at: usize, of: &'static ValueType, open: &mut Vec<&'static ValueType>) {
        let is_within_itself = open.iter().any(|open| ptr::eq(*open, of));
        open.push(of);
        let kind = match &of.shape {
            _ if is_within_itself || of.check.is_some() || cfg!(target_endian = "big") => StepKind::Other(of),
            _ if of.is_plain() && of.layout.size() > 0 => StepKind::Bytes(of.layout.size()),
            ValueShape::Number(_) => StepKind::Other(of),
            ValueShape::Bool => StepKind::Bool,
            ValueShape::Char => StepKind::Char,
            ValueShape::Entity => StepKind::Entity,
            ValueShape::Text(text) => StepKind::Text(text),
            ValueShape::Option(option) => StepKind::Option(option, Box::new(Item::new(option.item, open))),
            // elements without bytes are counted by the reader of all formats
            ValueShape::List(list) if (list.item)().fewest_bytes(8) > 0 => {
                StepKind::List(list, Box::new(Item::new(list.item, open)))
            }
            ValueShape::Enum(enumeration) => {
                let variants = enumeration.variants.iter();
                let variants = variants.map(|variant| VariantPlan::new(&variant.parts, open));
                match variants.collect::<Option<Vec<_>>>() {
                    Some(variants) => StepKind::Enum(enumeration, variants),
                    None => StepKind::Other(of),
                }
            }
            ValueShape::Struct(_, parts) => {
                for field in parts.fields {
                    match field.default.filter(|_| field.skipped) {
                        Some(default) => self.steps.push(Step {
                            at: at + field.offset,
                            of: Some((field.of)()),
                            kind: StepKind::Skipped(default),
                        }),
                        None => self.add(at + field.offset, (field.of)(), open),
                    }
                }
                open.pop();
                return;
            }
            ValueShape::Array(item, len) if *len <= LONGEST => {
                let item = item();
                (0..*len).for_each(|number| self.add(at + number * item.layout.size(), item, open));
                open.pop();
                return;
            }
            ValueShape::Unit(_) => {
                open.pop();
                return;
            }
            _ => StepKind::Other(of),
        };
        open.pop();
        if let (StepKind::Bytes(more), Some(Step { at: before, kind: StepKind::Bytes(len), .. })) =
            (&kind, self.steps.last_mut())
            && *before + *len == at
        {
            *len += more;
            return;
        }
        self.steps.push(Step { at, of: of.drop.map(|_| of), kind });
    }

    /// The number of bytes of a value, if they are its compact form.
    fn bytes(&self, of: &ValueType) -> Option<usize> {
        match &self.steps[..] {
            [Step { at: 0, kind: StepKind::Bytes(len), .. }] if *len == of.layout.size() => Some(*len),
            _ => None,
        }
    }

    /// Writes a value.
    ///
    /// # Safety
    /// The address is that of a value of the type of the plan.
    pub(crate) unsafe fn write(&self, value: *const u8, to: &mut Writer<Vec<u8>>) -> Result<(), Fault> {
        for step in &self.steps {
            // SAFETY: the value has a part of the step's type at its offset.
            unsafe { step.write(value.add(step.at), to) }?;
        }
        Ok(())
    }

    /// Reads a value. After an error there is none.
    ///
    /// # Safety
    /// The address is valid for a write of the type of the plan.
    pub(crate) unsafe fn read(&self, from: &mut Reader<'_, '_>, to: *mut u8) -> Result<(), Fault> {
        /// The parts that were read, which are dropped with it.
        struct ReadParts<'p>(&'p [Step], usize, *mut u8);
        impl Drop for ReadParts<'_> {
            fn drop(&mut self) {
                for step in &self.0[..self.1] {
                    if let Some(of) = step.of {
                        // SAFETY: the part was written, and is not used any more.
                        unsafe { of.drop_value(self.2.add(step.at)) };
                    }
                }
            }
        }
        let mut parts = ReadParts(&self.steps, 0, to);
        for step in &self.steps {
            // SAFETY: the memory of a value has that of the part at its offset.
            unsafe { step.read(from, to.add(step.at)) }?;
            parts.1 += 1;
        }
        core::mem::forget(parts);
        Ok(())
    }
}

impl Item {
    fn new(of: TypeOf, open: &mut Vec<&'static ValueType>) -> Self {
        let of = of();
        let plan = ValuePlan::within(of, open);
        let bytes = plan.bytes(of);
        Self { of, plan, bytes }
    }
}

impl Step {
    /// # Safety
    /// The address is that of a part of the step's type.
    unsafe fn write(&self, part: *const u8, to: &mut Writer<Vec<u8>>) -> Result<(), Fault> {
        let bytes = &mut to.sink;
        // SAFETY: the contract of this function, for the type that the kind is made of.
        unsafe {
            match &self.kind {
                // the lengths of a number are no calls
                StepKind::Bytes(4) => bytes.extend_from_slice(&*part.cast::<[u8; 4]>()),
                StepKind::Bytes(8) => bytes.extend_from_slice(&*part.cast::<[u8; 8]>()),
                StepKind::Bytes(len) => bytes.extend_from_slice(core::slice::from_raw_parts(part, *len)),
                StepKind::Bool => bytes.push(u8::from(*part.cast::<bool>())),
                StepKind::Char => bytes.extend_from_slice(&u32::from(*part.cast::<char>()).to_le_bytes()),
                StepKind::Entity => {
                    bytes.extend_from_slice(&(*part.cast::<Entity>()).to_bits().to_le_bytes())
                }
                StepKind::Text(of) => {
                    let text = &*(of.get)(part);
                    bytes.extend_from_slice(&length(text.len())?.to_le_bytes());
                    bytes.extend_from_slice(text.as_bytes());
                }
                StepKind::Option(of, item) => {
                    let content = (of.get)(part);
                    bytes.push(u8::from(!content.is_null()));
                    if !content.is_null() {
                        item.plan.write(content, to)?;
                    }
                }
                StepKind::List(of, item) => write_list(of, item, part, to)?,
                StepKind::Enum(of, variants) => {
                    let mut written = Ok(());
                    (of.parts)(part, &mut |number, addresses| {
                        to.sink.extend_from_slice(&number.to_le_bytes());
                        let Some(variant) = variants.get(number as usize) else { return };
                        let mut fields = variant.fields.iter().zip(addresses);
                        written = fields.try_for_each(|((item, _), part)| item.plan.write(*part, to));
                    });
                    written?;
                }
                StepKind::Skipped(_) => {}
                StepKind::Other(of) => ValueRef::new(of, part).serialize(to)?,
            }
        }
        Ok(())
    }

    /// # Safety
    /// The address is valid for a write of the step's type.
    unsafe fn read(&self, from: &mut Reader<'_, '_>, to: *mut u8) -> Result<(), Fault> {
        // SAFETY: the contract of this function, for the type that the kind is made of.
        unsafe {
            match &self.kind {
                StepKind::Bytes(len) => to.copy_from_nonoverlapping(from.take_bytes(*len)?.as_ptr(), *len),
                StepKind::Bool => to.cast::<bool>().write(from.value()?),
                StepKind::Char => to.cast::<char>().write(from.value()?),
                StepKind::Entity => to.cast::<Entity>().write(Entity::deserialize(from)?),
                StepKind::Text(of) => (of.set)(from.text()?, to),
                StepKind::Option(of, item) => match from.take_bytes(1)? {
                    [0] => (of.set)(ptr::null_mut(), to),
                    [1] => {
                        let mut room = Room::new(item.of.layout);
                        item.plan.read(from, room.address())?;
                        (of.set)(room.address(), to);
                    }
                    other => {
                        return Err(Fault::text(format!("{} is neither `None` nor `Some`", other[0])));
                    }
                },
                StepKind::List(of, item) => read_list(self.of, of, item, from, to)?,
                StepKind::Enum(of, variants) => read_variant(of, variants, from, to)?,
                StepKind::Skipped(default) => default(to),
                StepKind::Other(of) => NewValue::new(of, to).read(from)?,
            }
        }
        Ok(())
    }
}

/// The length of a text or a list, which has 32 bits.
fn length(length: usize) -> Result<u32, Fault> {
    u32::try_from(length).map_err(|_| Fault::text("a length of more than 4294967295"))
}

/// # Safety
/// The address is that of a list of this type.
unsafe fn write_list(
    of: &ListType,
    item: &Item,
    list: *const u8,
    to: &mut Writer<Vec<u8>>,
) -> Result<(), Fault> {
    // SAFETY: the contract of this function.
    unsafe {
        match of.elements {
            ElementsType::Slice(slice) => {
                let (first, len) = slice(list);
                to.sink.extend_from_slice(&length(len)?.to_le_bytes());
                if let Some(size) = item.bytes {
                    to.sink.extend_from_slice(core::slice::from_raw_parts(first, len * size));
                    return Ok(());
                }
                let size = item.of.layout.size();
                (0..len).try_for_each(|at| item.plan.write(first.add(at * size), to))
            }
            ElementsType::Each(each, len) => {
                to.sink.extend_from_slice(&length(len(list))?.to_le_bytes());
                let mut written = Ok(());
                each(list, &mut |element, _| {
                    if written.is_ok() {
                        written = item.plan.write(element, to);
                    }
                });
                written
            }
        }
    }
}

/// # Safety
/// The address is valid for a write of a list of this type. `list` is the type, if it needs a drop.
unsafe fn read_list(
    list: Option<&'static ValueType>,
    of: &ListType,
    item: &Item,
    from: &mut Reader<'_, '_>,
    to: *mut u8,
) -> Result<(), Fault> {
    /// The list, which is dropped with it.
    struct Unfinished(Option<&'static ValueType>, *mut u8);
    impl Drop for Unfinished {
        fn drop(&mut self) {
            if let Some(list) = self.0 {
                // SAFETY: the list was made, and is not used any more.
                unsafe { list.drop_value(self.1) };
            }
        }
    }
    let (count, size) = (from.number()? as usize, item.of.layout.size());
    // an element has one byte at least in the file
    let room = count.min(from.input.len()).min((1 << 20) / size.max(1));
    // SAFETY: the contract of this function.
    unsafe { (of.collection.new)(room, to) };
    let unfinished = Unfinished(list, to);
    let charge = (size.max(1) as u64).saturating_sub(FOR_A_BYTE * item.of.fewest_bytes(8));
    let mut place = Room::new(item.of.layout);
    for _ in 0..count {
        if charge > 0 {
            memory::charge(charge).map_err(Fault::text)?;
        }
        // SAFETY: the room has the layout of an element, which is moved into the list.
        unsafe {
            item.plan.read(from, place.address())?;
            (of.collection.push)(to, place.address(), ptr::null_mut());
        }
    }
    core::mem::forget(unfinished);
    Ok(())
}

/// # Safety
/// The address is valid for a write of an enum of this type.
unsafe fn read_variant(
    of: &EnumType,
    variants: &[VariantPlan],
    from: &mut Reader<'_, '_>,
    to: *mut u8,
) -> Result<(), Fault> {
    /// The fields of a variant of which the first ones were read: these are dropped with it.
    struct Fields<'i>(&'i [(Item, usize)], *mut u8, usize);
    impl Drop for Fields<'_> {
        fn drop(&mut self) {
            for (item, offset) in &self.0[..self.2] {
                // SAFETY: the field was written, and is not used any more.
                unsafe { item.of.drop_value(self.1.add(*offset)) };
            }
        }
    }
    let number = from.number()?;
    let Some(variant) = variants.get(number as usize) else {
        let count = variants.len();
        let text = format!("invalid value: integer `{number}`, expected variant index 0 <= i < {count}");
        return Err(Fault::text(text));
    };
    if variant.fields.is_empty() {
        // SAFETY: the variant has no fields.
        unsafe { (of.build)(number, &[], to) };
        return Ok(());
    }
    let mut room = Room::new(variant.layout);
    let start = room.address();
    let mut fields = Fields(&variant.fields, start, 0);
    for (item, offset) in &variant.fields {
        // SAFETY: the room has memory for the field at this offset.
        unsafe { item.plan.read(from, start.add(*offset)) }?;
        fields.2 += 1;
    }
    // SAFETY: the offsets lie within the room.
    let address = |(_, offset): &(Item, usize)| unsafe { start.add(*offset) };
    let mut few = [ptr::null_mut(); FEW];
    // SAFETY: all fields of the variant were read, and are moved.
    unsafe {
        match few.get_mut(..variant.fields.len()) {
            Some(few) => {
                few.iter_mut().zip(&variant.fields).for_each(|(to, field)| *to = address(field));
                (of.build)(number, few, to);
            }
            None => (of.build)(number, &variant.fields.iter().map(address).collect::<Vec<_>>(), to),
        }
    }
    core::mem::forget(fields);
    Ok(())
}
