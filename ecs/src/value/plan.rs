//! [`ValuePlan`]: the steps that write and read values of a described type in the compact form.
//!
//! A plan is made once for a component. Fields that lie side by side and whose bytes are their
//! compact form are one step, and nothing is looked up in a description while values are written or
//! read.
#![expect(unsafe_code, reason = "values are read and written at addresses")]

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::any::TypeId;
use core::ptr;

use serde::{Deserialize, Serialize};

use super::description::{
    DEPTH, ElementsType, EnumType, FieldList, ListType, OptionType, TextType, TypeOf, ValueShape, ValueType,
};
use super::deserialize::{NewValue, Written};
use super::new_collection::{charge_of, room_for};
use super::room::Room;
use super::serialize::ValueRef;
use crate::entity::Entity;
use crate::persist::compact;
use crate::persist::compact::read::Reader;
use crate::persist::compact::write::Writer;
use crate::persist::erased::FormError;
use crate::persist::memory;
use crate::value::scalar::ScalarType;

/// The steps for the values of a type, in the order of the compact form.
///
/// # Invariants
/// 1. The steps are those of the type: each is for a part of a value at its offset, and together
///    they are for all parts.
/// 2. `parts` lists the parts that need a drop, each before the parts within it.
pub(crate) struct ValuePlan {
    steps: Vec<Step>,
    parts: Vec<DroppedPart>,
}

/// A part of a value that is dropped if the value is not read to its end.
struct DroppedPart {
    /// The offset in the value.
    at: usize,
    of: &'static ValueType,
    /// The number of steps after which the part is complete.
    end: usize,
    /// The number of parts within it, which follow it in the list.
    within: usize,
}

/// The longest array whose elements have a step each.
const LONGEST: usize = 64;
/// The approximate number of steps of a type and everything within it. The rest of a larger type is
/// read without a plan.
const MOST: usize = 4096;

/// A part of a value.
struct Step {
    /// The offset in the value.
    at: usize,
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
    List(&'static ValueType, &'static ListType, Box<Item>),
    Enum(&'static EnumType, Vec<VariantPlan>),
    /// A field that is neither written nor read.
    Skipped(unsafe fn(*mut u8)),
    /// Everything else, by the writer and the reader of all formats, within this number of values.
    Other(&'static ValueType, u32),
}

/// The content of an option, an element or a field of a variant.
struct Item {
    of: &'static ValueType,
    plan: ValuePlan,
    /// The size of a value whose bytes are its compact form.
    bytes: Option<usize>,
    /// The memory that an element takes beyond what its bytes pay for.
    charge: u64,
}

/// The plan of a variant: its fields, and the place of each in memory for all of them.
struct VariantPlan {
    fields: Vec<(Item, usize)>,
    layout: Layout,
}

/// The number of fields of a variant whose addresses take no allocation.
const FEW: usize = 8;

/// The state while a plan is made.
struct Planner {
    /// The types around the current one: a type within itself has no plan.
    open: Vec<TypeId>,
    /// The number of steps that may still be made.
    left: usize,
}

impl Planner {
    fn plan(&mut self, of: &'static ValueType) -> ValuePlan {
        let mut plan = ValuePlan { steps: Vec::new(), parts: Vec::new() };
        plan.add(0, of, self);
        plan
    }

    fn item(&mut self, of: TypeOf) -> Item {
        let of = of();
        let plan = self.plan(of);
        let (bytes, size) = (plan.bytes(of), of.layout.size());
        Item { of, plan, bytes, charge: charge_of(size, of.fewest_bytes(DEPTH)) }
    }

    /// The step for a part without a plan.
    fn other(&self, of: &'static ValueType) -> StepKind {
        // the type itself is the last one
        let levels = self.open.len().saturating_sub(1);
        StepKind::Other(of, u32::try_from(levels).map_or(compact::DEPTH, |levels| levels.min(compact::DEPTH)))
    }

    /// `None` if a field is skipped.
    fn variant(&mut self, parts: &FieldList) -> Option<VariantPlan> {
        let mut plan = VariantPlan { fields: Vec::new(), layout: Layout::new::<()>() };
        for field in parts.fields {
            let item = self.item(field.of);
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
        Planner { open: Vec::new(), left: MOST }.plan(of)
    }

    /// Adds a part, and notes that it needs a drop.
    fn add(&mut self, at: usize, of: &'static ValueType, planner: &mut Planner) {
        let number = self.parts.len();
        if of.drop.is_some() {
            self.parts.push(DroppedPart { at, of, end: 0, within: 0 });
        }
        let is_within_itself = planner.open.contains(&of.id);
        planner.open.push(of.id);
        match is_within_itself || planner.left == 0 {
            true => self.steps.push(Step { at, kind: planner.other(of) }),
            false => self.add_steps(at, of, planner),
        }
        planner.open.pop();
        let (end, after) = (self.steps.len(), self.parts.len());
        if of.drop.is_some() {
            let part = &mut self.parts[number];
            (part.end, part.within) = (end, after - number - 1);
        }
    }

    /// Adds the steps of a part.
    fn add_steps(&mut self, at: usize, of: &'static ValueType, planner: &mut Planner) {
        planner.left -= 1;
        let kind = match &of.shape {
            _ if of.check.is_some() || cfg!(target_endian = "big") => planner.other(of),
            _ if of.is_plain() && of.layout.size() > 0 => StepKind::Bytes(of.layout.size()),
            ValueShape::Scalar(ScalarType::Bool) => StepKind::Bool,
            ValueShape::Scalar(ScalarType::Char) => StepKind::Char,
            ValueShape::Entity => StepKind::Entity,
            ValueShape::Text(text) => StepKind::Text(text),
            ValueShape::Option(option) => StepKind::Option(option, Box::new(planner.item(option.item))),
            // elements without bytes are counted by the reader of all formats
            ValueShape::List(list) if (list.item)().fewest_bytes(DEPTH) > 0 => {
                StepKind::List(of, list, Box::new(planner.item(list.item)))
            }
            ValueShape::Enum(enumeration) => {
                let variants = enumeration.variants.iter().map(|variant| planner.variant(&variant.parts));
                match variants.collect::<Option<Vec<_>>>() {
                    Some(variants) => StepKind::Enum(enumeration, variants),
                    None => planner.other(of),
                }
            }
            ValueShape::Struct(_, parts) => {
                for field in parts.fields {
                    let (at, of) = (at + field.offset, (field.of)());
                    match field.default.filter(|_| field.skipped) {
                        Some(default) => self.add_skipped(at, of, default),
                        None => self.add(at, of, planner),
                    }
                }
                return;
            }
            ValueShape::Array(item, len) if *len <= LONGEST => {
                let item = item();
                (0..*len).for_each(|number| self.add(at + number * item.layout.size(), item, planner));
                return;
            }
            ValueShape::Unit(_) => return,
            _ => planner.other(of),
        };
        match (&kind, self.steps.last_mut()) {
            // bytes side by side are one step
            (StepKind::Bytes(more), Some(Step { at: before, kind: StepKind::Bytes(len) }))
                if *before + *len == at =>
            {
                *len += more;
            }
            _ => self.steps.push(Step { at, kind }),
        }
    }

    /// Adds a field that has its default value.
    fn add_skipped(&mut self, at: usize, of: &'static ValueType, default: unsafe fn(*mut u8)) {
        self.steps.push(Step { at, kind: StepKind::Skipped(default) });
        if of.drop.is_some() {
            self.parts.push(DroppedPart { at, of, end: self.steps.len(), within: 0 });
        }
    }

    /// The number of bytes of a value, if they are its compact form.
    fn bytes(&self, of: &ValueType) -> Option<usize> {
        match &self.steps[..] {
            [Step { at: 0, kind: StepKind::Bytes(len) }] if *len == of.layout.size() => Some(*len),
            _ => None,
        }
    }

    /// Writes a value.
    ///
    /// # Safety
    /// The address is that of a value of the type of the plan.
    pub(crate) unsafe fn write(&self, value: *const u8, to: &mut Writer<Vec<u8>>) -> Result<(), FormError> {
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
    pub(crate) unsafe fn read(&self, from: &mut Reader<'_, '_>, to: *mut u8) -> Result<(), FormError> {
        /// A value of which the first steps were read: the complete parts are dropped with it.
        struct ReadParts<'p>(&'p [DroppedPart], usize, *mut u8);
        impl Drop for ReadParts<'_> {
            fn drop(&mut self) {
                let mut next = 0;
                while let Some(part) = self.0.get(next) {
                    next += 1;
                    if part.end <= self.1 {
                        next += part.within;
                        // SAFETY: the part was written, and is not used any more. The parts within
                        // it are passed over.
                        unsafe { part.of.drop_value(self.2.add(part.at)) };
                    }
                }
            }
        }
        let mut parts = ReadParts(&self.parts, 0, to);
        for step in &self.steps {
            // SAFETY: the memory of a value has that of the part at its offset.
            unsafe { step.read(from, to.add(step.at)) }?;
            parts.1 += 1;
        }
        core::mem::forget(parts);
        Ok(())
    }
}

impl Step {
    /// # Safety
    /// The address is that of a part of the step's type.
    unsafe fn write(&self, part: *const u8, to: &mut Writer<Vec<u8>>) -> Result<(), FormError> {
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
                StepKind::List(_, of, item) => write_list(of, item, part, to)?,
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
                StepKind::Other(of, levels) => {
                    to.depth += levels;
                    ValueRef::new(of, part).serialize(&mut *to)?;
                    to.depth -= levels;
                }
            }
        }
        Ok(())
    }

    /// # Safety
    /// The address is valid for a write of the step's type.
    unsafe fn read(&self, from: &mut Reader<'_, '_>, to: *mut u8) -> Result<(), FormError> {
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
                        let content = room.address();
                        item.plan.read(from, content)?;
                        (of.set)(content, to);
                    }
                    other => {
                        return Err(FormError::text(format!("{} is neither `None` nor `Some`", other[0])));
                    }
                },
                StepKind::List(list, of, item) => read_list(list, of, item, from, to)?,
                StepKind::Enum(of, variants) => read_variant(of, variants, from, to)?,
                StepKind::Skipped(default) => default(to),
                StepKind::Other(of, levels) => {
                    from.depth += levels;
                    NewValue::new(of, to).read(&mut *from)?;
                    from.depth -= levels;
                }
            }
        }
        Ok(())
    }
}

/// The length of a text or a list, which has 32 bits.
fn length(length: usize) -> Result<u32, FormError> {
    u32::try_from(length).map_err(|_| FormError::text("a length of more than 4294967295"))
}

/// # Safety
/// The address is that of a list of this type.
unsafe fn write_list(
    of: &ListType,
    item: &Item,
    list: *const u8,
    to: &mut Writer<Vec<u8>>,
) -> Result<(), FormError> {
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
/// The address is valid for a write of a `list`, which is a list of this type.
unsafe fn read_list(
    list: &'static ValueType,
    of: &ListType,
    item: &Item,
    from: &mut Reader<'_, '_>,
    to: *mut u8,
) -> Result<(), FormError> {
    let count = from.number()? as usize;
    // an element has one byte at least in the file
    let room = room_for(count.min(from.input.len()), item.of.layout.size());
    // SAFETY: the contract of this function.
    unsafe { (of.collection.new)(room, to) };
    if count == 0 {
        return Ok(());
    }
    // SAFETY: the list was made, and is dropped with the proof unless it is kept.
    let unfinished = unsafe { Written::new(list, to) };
    let mut room = Room::new(item.of.layout);
    let place = room.address();
    for _ in 0..count {
        if item.charge > 0 {
            memory::charge(item.charge).map_err(FormError::text)?;
        }
        // SAFETY: the room has the layout of an element, which is moved into the list.
        unsafe {
            item.plan.read(from, place)?;
            (of.collection.push)(to, place, ptr::null_mut());
        }
    }
    unfinished.keep();
    Ok(())
}

/// # Safety
/// The address is valid for a write of an enum of this type.
unsafe fn read_variant(
    of: &EnumType,
    variants: &[VariantPlan],
    from: &mut Reader<'_, '_>,
    to: *mut u8,
) -> Result<(), FormError> {
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
        return Err(FormError::text(text));
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
